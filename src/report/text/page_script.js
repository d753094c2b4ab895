// SPDX-License-Identifier: Apache-2.0
'use strict';
document.querySelectorAll('table.sortable').forEach(function(table){
 var heads=Array.from(table.tHead.rows[0].cells),body=table.tBodies[0];
 heads.forEach(function(head,column){
  var button=document.createElement('button'),number=head.classList.contains('n');
  button.type='button';button.textContent=head.textContent;
  head.textContent='';head.appendChild(button);
  button.addEventListener('click',function(){
   var was=head.getAttribute('aria-sort');
   var down=was?was==='ascending':number;
   heads.forEach(function(h){h.removeAttribute('aria-sort');});
   head.setAttribute('aria-sort',down?'descending':'ascending');
   var rows=Array.from(body.rows).map(function(row){
    var text=row.cells[column].textContent;
    return [number?parseFloat(text)||0:text,row];});
   rows.sort(function(a,b){var o=a[0]<b[0]?-1:a[0]>b[0]?1:0;return down?-o:o;});
   rows.forEach(function(r){body.appendChild(r[1]);});
  });});});
document.querySelectorAll('button[data-open]').forEach(function(button){
 button.addEventListener('click',function(){
  button.closest('section').querySelectorAll('details').forEach(function(d){
   d.open=button.dataset.open==='1';});});});
// Rows of the table below that match.
document.querySelectorAll('.find').forEach(function(find){
 var input=find.querySelector('input'),output=find.querySelector('output');
 var rows=Array.from(find.parentNode.querySelector('tbody').rows);
 find.hidden=false;
 input.addEventListener('input',function(){
  var re=null,n=0;
  input.removeAttribute('aria-invalid');
  try{re=new RegExp(input.value,/[A-Z]/.test(input.value)?'':'i');}
  catch(e){input.setAttribute('aria-invalid','true');}
  rows.forEach(function(row){
   row.hidden=!!re&&!re.test(row.querySelector('.name').textContent);n+=!row.hidden;});
  output.textContent=re&&input.value?n+' of '+rows.length:'';});});
