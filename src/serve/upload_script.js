// SPDX-License-Identifier: Apache-2.0
// Uploads of the form and of what is dropped on the page, one after another, with their progress.
'use strict';
(function(){
 var form=document.querySelector('form[action=upload]'),input=form.querySelector('[type=file]');
 var token=form.querySelector('[name=token]'),bar=document.createElement('progress');
 var said=document.createElement('output'),body=document.body;
 bar.hidden=true;input.multiple=true;said.textContent='or drop traces on this page';
 form.append(' ',bar,' ',said);
 function tell(file,words,bad){said.textContent=file.name+': '+words;said.className=bad?'worse':'';}
// What the server's page says; without one the connection broke.
 function refusal(text){
  var page=new DOMParser().parseFromString(text,'text/html');
  return ['h1','pre'].map(function(css){
   var e=page.querySelector(css);return e?e.textContent:'';}).filter(Boolean).join(': ')||
   'the connection ended';}
 function send(files,many){
  var file=files.shift(),xhr=new XMLHttpRequest();
  bar.hidden=false;bar.value=0;tell(file,'is sent');
  xhr.open('PUT','upload/'+encodeURIComponent(file.name));
  if(token&&token.value) // as bytes of UTF-8
   xhr.setRequestHeader('Authorization','Bearer '+unescape(encodeURIComponent(token.value)));
  xhr.upload.addEventListener('progress',function(e){if(e.total)bar.value=e.loaded/e.total;});
  xhr.upload.addEventListener('load',function(){
   bar.removeAttribute('value');tell(file,'is read');});
  xhr.addEventListener('loadend',function(){
   if(xhr.status!==200&&xhr.status!==201){
    bar.hidden=true;tell(file,refusal(xhr.responseText),true);
   }else if(files.length)send(files,many);
   else location.href=many?'./':new URL(xhr.getResponseHeader('Location'),xhr.responseURL).href;});
  xhr.send(file);}
 function begin(list){
  var files=Array.from(list);
  if(files.length&&bar.hidden)send(files,files.length>1);}
 form.addEventListener('submit',function(e){
  if(input.files.length){e.preventDefault();begin(input.files);}});
 ['dragover','dragleave','drop'].forEach(function(kind){
  document.addEventListener(kind,function(e){
   e.preventDefault();body.classList.toggle('over',kind==='dragover');
   if(kind==='drop')begin(e.dataTransfer.files);});});
})();
