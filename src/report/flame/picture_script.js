// SPDX-License-Identifier: Apache-2.0
'use strict';
document.querySelectorAll('svg.flame').forEach(function(svg){
 var W=+svg.dataset.width,NS='http://www.w3.org/2000/svg',CHAR=6.65;
 var box=svg.closest('.graph'),page=!!box,P=W; // P: pixels that there are
 box=box||svg;
 var input=box.querySelector('input[type=search]'),choices=Array.from(box.querySelectorAll('.widths input'));
 var details=box.querySelector('.details'),matched=box.querySelector('.matched');
 var reset=box.querySelector('.reset'),view=[0,W],at=null,past=[],hits=[],current=null;
 var frames=Array.from(svg.querySelectorAll('g.f')).map(function(g){
  var r=g.querySelector('rect'),t=g.querySelector('title').textContent,n=t.indexOf('\n');
  var f={g:g,rect:r,text:g.querySelector('text'),plain:g.classList.contains('t'),
   x:+r.getAttribute('x'),w:+r.getAttribute('width'),y:+r.getAttribute('y'),
   name:n<0?t:t.slice(0,n),info:n<0?'':t.slice(n+1),shown:true,
   sides:(g.dataset.sides||'').split(' ').map(Number),above:g.dataset.above};
  g.flame=f;return f;});
// A name made to fit: without signature, then without package, then without class.
 function fit(f,columns){
  var s=f.name,m=f.plain?null:/^(.*?[^ .])\(.*$/.exec(s),parts;
  if(columns<4)return '';
  if(s.length<=columns)return s;
  if(m)s=m[1];
  parts=f.plain?[s]:s.split('.');
  if(s.length>columns)s=parts.slice(-2).join('.');
  if(s.length>columns)s=parts[parts.length-1];
  return s.length<=columns?s:s.slice(0,columns-1)+'\u2026';}
 function label_of(f,columns){
  var mark=f.g.dataset.mark,rest;
  if(!mark)return fit(f,columns);
  if(columns<Math.max(4,mark.length))return '';
  rest=columns>mark.length+3?fit(f,columns-mark.length-1):'';
  return rest?mark+' '+rest:mark;}
 function place(f){
  var scale=P/(view[1]-view[0]),a=Math.max(f.x,view[0]),b=Math.min(f.x+f.w,view[1]);
  var w=(b-a)*scale,x=(a-view[0])*scale,label;
  f.shown=w>=0.05;f.g.style.display=f.shown?'':'none';
  if(!f.shown)return;
  f.rect.setAttribute('x',x.toFixed(3));f.rect.setAttribute('width',w.toFixed(3));
  f.g.classList.toggle('cut',b-a<f.w-1e-6);f.g.classList.toggle('n',w<2);
  label=label_of(f,Math.floor((w-6)/CHAR));
  if(label&&!f.text){
   f.text=document.createElementNS(NS,'text');f.text.setAttribute('y',f.y+12);
   f.g.appendChild(f.text);}
  if(f.text){f.text.textContent=label;f.text.setAttribute('x',(x+3).toFixed(2));}}
// In a page: as wide as there is room, and as high as what is shown.
 function size(){
  var y=0;if(!page)return;
  frames.forEach(function(f){if(f.shown)y=Math.max(y,f.y+18);});
  svg.setAttribute('width',P+2);svg.setAttribute('height',y);
  svg.setAttribute('viewBox','-1 0 '+(P+2)+' '+y);}
 function show(){
  while(at&&!at.w)at=past.pop();
  view=at?[at.x,at.x+at.w]:[0,W];
  if(page)P=Math.max(box.clientWidth-2,100);
  frames.forEach(place);size();
  reset.style.visibility=past.length?'visible':'hidden';}
 function zoom(f){
  if(!f||f.w<=0)return;
  past.push(at);at=f;show();focus(f);}
 function back(){if(past.length){at=past.pop();show();keep();}}
 function all(){past=[];at=null;show();keep();}
 function keep(){if(current)focus(current);}
 function tell(f){details.textContent=f?f.name+'   '+f.info:'';}
 function mark(f){
  if(current)current.g.setAttribute('tabindex','-1');
  current=f;f.g.setAttribute('tabindex','0');}
 function focus(f){mark(f);f.g.focus({preventScroll:false});tell(f);}
// Widths of A, of B, of both or of the change; callers come before what they call.
 var widths={both:function(s){return s[0]+s[1];},base:function(s){return s[0];},
  new:function(s){return s[1];},change:function(s){return s[2];}};
 function whole(of){
  return frames.reduce(function(sum,f){return f.above===undefined?sum+of(f.sides):sum;},0);}
 function widen(name){
  var of=widths[name],all=whole(of),top={end:0};
  frames.forEach(function(f){
   var above=f.above===undefined?top:frames[f.above];
   f.x=f.end=above.end;f.w=of(f.sides)*W/all;above.end+=f.w;});
  show();search();
  if(current&&!current.shown)mark(frames.find(function(f){return f.shown;}));}
 function turn(){
  var can=choices.filter(function(c){return !c.disabled;});
  var c=can[(can.findIndex(function(c){return c.checked;})+1)%can.length];
  if(c){c.checked=true;widen(c.value);keep();}}
 choices.forEach(function(c){
  c.disabled=!whole(widths[c.value]);
  c.addEventListener('change',function(){widen(c.value);});});
// The nearest shown frame in a direction that shares some of the width.
 function step(dx,dy){
  var c=current,best=null,score=1e18;
  if(!c||!c.shown){best=frames.find(function(f){return f.shown;});}
  else frames.forEach(function(f){
   var s,over=Math.min(f.x+f.w,c.x+c.w,view[1])-Math.max(f.x,c.x,view[0]);
   if(!f.shown||f===c)return;
   if(dy){if((f.y-c.y)*dy<=0||over<=0)return;s=Math.abs(f.y-c.y)*1e6-over;}
   else{if(f.y!==c.y||(f.x-c.x)*dx<=0)return;s=Math.abs(f.x-c.x);}
   if(s<score){score=s;best=f;}});
  if(best)focus(best);}
// Widths of matching frames; those below another one count with it.
 function search(){
  var s=input.value,re=null,end=0,sum=0;
  input.removeAttribute('aria-invalid');matched.textContent='';
  try{if(s)re=new RegExp(s,/[A-Z]/.test(s)?'':'i');}
  catch(e){
   input.setAttribute('aria-invalid','true');matched.textContent='no such expression';}
  hits=frames.filter(function(f){
   var hit=!!re&&re.test(f.name);f.g.classList.toggle('hit',hit);return hit;});
  if(!re)return;
  hits.sort(function(a,b){return a.x-b.x||b.w-a.w;}).forEach(function(f){
   var from=Math.max(f.x,end);
   if(f.x+f.w>from){sum+=f.x+f.w-from;end=f.x+f.w;}});
  matched.textContent=hits.length+(hits.length===1?' frame':' frames')+
   ', '+(100*sum/W).toFixed(2)+' % matched';}
 function next(d){
  var shown=hits.filter(function(f){return f.shown;}),i=shown.indexOf(current);
  if(shown.length)focus(shown[(i<0?(d>0?0:shown.length-1):i+d+shown.length)%shown.length]);}
 var keys={ArrowUp:function(){step(0,-1);},ArrowDown:function(){step(0,1);},
  ArrowLeft:function(){step(-1,0);},ArrowRight:function(){step(1,0);},
  Enter:function(){zoom(current);},' ':function(){zoom(current);},
  Escape:back,Backspace:back,'0':all,Home:all,
  '/':function(){input.focus();input.select();},
  n:function(){next(1);},N:function(){next(-1);},v:turn};
 box.addEventListener('keydown',function(e){
  if(e.ctrlKey||e.altKey||e.metaKey||(choices.includes(e.target)&&e.key!=='v'))return;
  if(e.target===input){
   if(e.key==='Enter')next(e.shiftKey?-1:1);
   else if(e.key==='Escape'){input.value='';search();step(0,0);keep();}
   else return;
  }else if(e.target===reset&&(e.key==='Enter'||e.key===' '))all();
  else if(keys.hasOwnProperty(e.key))keys[e.key]();
  else return;
  e.preventDefault();e.stopPropagation();});
 function of(e){var g=e.target.closest?e.target.closest('g.f'):null;return g?g.flame:null;}
 svg.addEventListener('click',function(e){var f=of(e);if(f)zoom(f);});
 svg.addEventListener('mouseover',function(e){tell(of(e)||current);});
 svg.addEventListener('focusin',function(e){
  var f=of(e);if(f&&f!==current){current=f;tell(f);}});
 reset.addEventListener('click',all);
 input.addEventListener('input',search);
 svg.classList.add('on');box.classList.add('on');reset.style.visibility='hidden';
 if(frames.length){current=frames[0];current.g.setAttribute('tabindex','0');}
 if(page){
  var seen=box.clientWidth,again=function(){
   if(box.clientWidth&&box.clientWidth!==seen){seen=box.clientWidth;show();}};
  window.addEventListener('resize',again);
  if(box.closest('details'))box.closest('details').addEventListener('toggle',again);
  show();}
});
