#include <config.h>

#include <inttypes.h>

#include "base/escape.h"
#include "base/number.h"
#include "profile/sum/same.h"
#include "report/flame/picture.h"

enum {
	GREY = 0xc6c9ce, /* threads, and what the file does not name */
	HUES = 1536,     /* six sides of the colour wheel */
	SIDE = 256,
};

/* FNV-1a, with its high bits mixed down: short names differ there only. */
static uint32_t
hash(struct str s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)(s.p[i] == '/' ? '.' : s.p[i])) * 0x100000001b3u;
	return (uint32_t)(h >> 32 ^ h);
}

/* A corner of the wheel is full in one or two of red, green and blue. */
static uint32_t
wheel(uint32_t hue, uint32_t channel)
{
	uint32_t at = (hue + channel * (HUES / 3) + HUES / 6) % HUES;

	if (at < SIDE)
		return at;
	if (at < 3 * SIDE)
		return SIDE - 1;
	return at < 4 * SIDE ? 4 * SIDE - 1 - at : 0;
}

uint32_t
colour_of(const struct trace *t, uint32_t method)
{
	const struct method *m = trace_method(t, method);
	struct str family; /* what has a hue of its own */
	uint32_t hue, shade, colour = 0;

	if (!same_key(t, SAME_PACKAGE, method, &family) &&
	    !same_key(t, SAME_NAME, method, &family))
		return GREY;
	hue = hash(family) % HUES;
	shade = (hash(m->class_name) ^ hash(m->name)) % 48;
	for (uint32_t i = 0; i < 3; i++)
		colour = colour << 8 | (104 + shade + wheel(hue, (3 - i) % 3) * 103 / 255);
	return colour;
}

#define CHAR_WIDTH 6.65

enum {
	COLUMNS_MIN = 4, /* fewer tell nothing */
	BORDER_MIN = 2,  /* pixels; of narrower frames a border would leave nothing */
	AXIS_END = 50,   /* no label begins in the last pixels */
};

const char picture_style[] =
    "svg.flame{font:11px monospace;background:#fff;max-width:100%;height:auto}\n"
    ".flame .ground{fill:#fff}.flame text{fill:#111}\n"
    ".flame .title{font:bold 16px sans-serif;text-anchor:middle}\n"
    ".flame .subtitle,.flame .note,.flame .matched{font:12px sans-serif}\n"
    ".flame .subtitle{text-anchor:middle}.flame .end{text-anchor:end}\n"
    ".flame .axis text{font:10px sans-serif}\n"
    ".flame .details{font-size:12px}\n"
    ".flame .f{cursor:pointer}.flame .f rect{stroke:#fff;stroke-width:.5}\n"
    ".flame .f.n rect{stroke:none}\n"
    ".flame .f:hover rect,.flame .f:focus rect{stroke:#000;stroke-width:2}\n"
    ".flame .f:focus{outline:none}.flame .f text{pointer-events:none}\n"
    ".flame .cut{opacity:.65}\n"
    ".flame .hit rect{fill:#d6006c}.flame .hit text{fill:#fff}\n"
    ".flame .js{display:none}.flame.on .js{display:inline}\n"
    ".flame .reset{cursor:pointer;font:12px sans-serif;text-decoration:underline}\n"
    ".flame input{width:100%;box-sizing:border-box;font:12px sans-serif}\n"
    ".flame input[aria-invalid]{outline:2px solid #d6006c}\n"
    "@media(prefers-color-scheme:dark){\n"
    "svg.flame{background:#16181d;color-scheme:dark}.flame .ground{fill:#16181d}\n"
    ".flame>text,.flame .axis text,.flame .reset,.flame .band>text{fill:#e4e6ea}\n"
    ".flame .f rect{stroke:#16181d}\n"
    ".flame .f:hover rect,.flame .f:focus rect{stroke:#fff}}\n";

static uint32_t
height(const struct picture *p)
{
	return PICTURE_TOP + p->rows * PICTURE_ROW + PICTURE_BELOW;
}

/* Thousandths of a pixel, without what adds nothing. */
static void
number(struct sbuf *out, double value)
{
	sbuf_printf(out, "%.3f", value);
	while (out->p[out->n - 1] == '0')
		out->n--;
	if (out->p[out->n - 1] == '.')
		out->n--;
}

static void
text(struct sbuf *out, const char *class_name, int x, uint32_t y, struct str s)
{
	sbuf_printf(out, "<text class=\"%s\" x=\"%d\" y=\"%u\">", class_name, x, y);
	html_text(out, s);
	sbuf_text(out, "</text>\n");
}

/* Times at round places above the first row. */
static void
axis(const struct picture *p)
{
	enum { LABEL = 100, AXIS_Y = PICTURE_TOP - 6 };
	struct ticks ticks = ticks_make(p->from, p->to, PICTURE_WIDTH, LABEL, FMT_MS);
	char number[FMT_SIZE];

	sbuf_printf(p->out, "<g class=\"axis\" data-y=\"%d\">", AXIS_Y);
	for (uint32_t i = 0; i < ticks.count; i++) {
		int64_t at = ticks.first + (int64_t)i * ticks.step;

		double x = (double)(at - p->from) * PICTURE_WIDTH / (double)(p->to - p->from);

		if (x <= PICTURE_WIDTH - AXIS_END)
			sbuf_printf(p->out, "<text x=\"%.1f\" y=\"%d\">%s ms</text>", x, AXIS_Y,
			    fmt_time(number, at, FMT_MS, ticks.decimals));
	}
	sbuf_text(p->out, "</g>\n");
}

void
picture_begin(const struct picture *p)
{
	struct sbuf *out = p->out;

	if (!p->inside)
		sbuf_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	sbuf_printf(out,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" width=\"%d\" "
	    "height=\"%u\" viewBox=\"-10 0 %d %u\" data-width=\"%d\" role=\"group\"",
	    PICTURE_WIDTH + 20, height(p), PICTURE_WIDTH + 20, height(p), PICTURE_WIDTH);
	if (p->chart)
		sbuf_printf(out,
		    " data-chart=\"1\" data-from=\"%" PRId64 "\" data-to=\"%" PRId64 "\"",
		    p->from, p->to);
	sbuf_text(out, " aria-label=\"");
	html_text(out, p->title);
	sbuf_text(out, "\">\n");
	if (!p->inside) {
		sbuf_text(out, "<title>");
		html_text(out, p->title);
		sbuf_text(out, "</title>\n<style>\n");
		sbuf_text(out, picture_style);
		sbuf_text(out, "</style>\n");
	}
	sbuf_text(out, "<rect class=\"ground\" x=\"-10\" width=\"100%\" height=\"100%\"/>\n");
	text(out, "title", PICTURE_WIDTH / 2, 22, p->title);
	text(out, "subtitle", PICTURE_WIDTH / 2, 40, p->subtitle);
	sbuf_printf(out,
	    "<text class=\"js reset\" role=\"button\" tabindex=\"0\" x=\"0\" y=\"20\">"
	    "Reset zoom</text>\n"
	    "<foreignObject class=\"js\" x=\"%d\" y=\"6\" width=\"200\" height=\"24\">"
	    "<input xmlns=\"http://www.w3.org/1999/xhtml\" type=\"search\" "
	    "placeholder=\"search: regular expression\" aria-label=\"Search frames\"/>"
	    "</foreignObject>\n"
	    "<text class=\"js matched end\" aria-live=\"polite\" x=\"%d\" y=\"46\"></text>\n",
	    PICTURE_WIDTH - 200, PICTURE_WIDTH);
	if (p->chart)
		axis(p);
	sbuf_text(out, "<g class=\"band\">\n");
}

void
picture_band(const struct picture *p, uint32_t row, struct str name)
{
	sbuf_text(p->out, "</g>\n<g class=\"band\">\n");
	text(p->out, "subject", 0, PICTURE_TOP + row * PICTURE_ROW + 12, name);
}

void
picture_frame(const struct picture *p, const struct picture_frame *f)
{
	struct sbuf *out = p->out;
	uint32_t y = PICTURE_TOP + f->row * PICTURE_ROW;

	sbuf_printf(out, "<g class=\"f%s%s\"><title>", f->plain ? " t" : "",
	    f->width < BORDER_MIN ? " n" : "");
	html_text(out, f->name);
	sbuf_char(out, '\n');
	html_text(out, f->info);
	sbuf_text(out, "</title><rect x=\"");
	number(out, f->x);
	sbuf_printf(out, "\" y=\"%u\" width=\"", y);
	number(out, f->width);
	sbuf_printf(out, "\" height=\"%d\" fill=\"#%06x\"/>", PICTURE_ROW - 1, f->colour);
	if (f->label.n > 0) {
		sbuf_text(out, "<text x=\"");
		number(out, f->x + 3);
		sbuf_printf(out, "\" y=\"%u\">", y + 12);
		html_text(out, f->label);
		sbuf_text(out, "</text>");
	}
	sbuf_text(out, "</g>\n");
}

void
picture_end(const struct picture *p, struct str note)
{
	struct sbuf *out = p->out;
	uint32_t y = height(p);

	sbuf_text(out, "</g>\n");
	sbuf_printf(out, "<text class=\"js details\" x=\"0\" y=\"%u\"></text>\n", y - 26);
	text(out, "js note", 0, y - 8,
	    STR("Click or Enter: zoom, Esc: back, 0: all, arrows: move, /: search, "
		"n N: next and previous match"));
	if (note.n > 0)
		text(out, "note end", PICTURE_WIDTH, y - 8, note);
	if (!p->inside) {
		sbuf_text(out, "<script><![CDATA[\n");
		sbuf_text(out, picture_script);
		sbuf_text(out, "]]></script>\n");
	}
	sbuf_text(out, "</svg>\n");
}

int
picture_columns(double width)
{
	int columns = (int)((width - 6) / CHAR_WIDTH);

	return width > 6 && columns >= COLUMNS_MIN ? columns : 0;
}

/* What makes the picture interactive. */

/*
 * Positions are read from what is drawn, in pixels of the whole picture; `view` is the
 * part of them that is shown.  Only text is ever made of names.
 */
const char picture_script[] =
    "'use strict';\n"
    "document.querySelectorAll('svg.flame').forEach(function(svg){\n"
    " var W=+svg.dataset.width,NS='http://www.w3.org/2000/svg',CHAR=6.65;\n"
    " var chart=svg.dataset.chart==='1',input=svg.querySelector('input');\n"
    " var details=svg.querySelector('.details'),matched=svg.querySelector('.matched');\n"
    " var reset=svg.querySelector('.reset'),view=[0,W],past=[],hits=[],current=null;\n"
    " var frames=Array.from(svg.querySelectorAll('g.f')).map(function(g){\n"
    "  var r=g.querySelector('rect'),t=g.querySelector('title').textContent,n=t.indexOf('\\n');\n"
    "  var f={g:g,rect:r,text:g.querySelector('text'),plain:g.classList.contains('t'),\n"
    "   x:+r.getAttribute('x'),w:+r.getAttribute('width'),y:+r.getAttribute('y'),\n"
    "   name:n<0?t:t.slice(0,n),info:n<0?'':t.slice(n+1),shown:true,band:g.parentNode};\n"
    "  g.flame=f;return f;});\n"
    /* A name made to fit: without signature, packages short, cut at its beginning. */
    " function fit(f,columns){\n"
    "  var s=f.name,m;\n"
    "  if(columns<4)return '';\n"
    "  if(s.length<=columns)return s;\n"
    "  if(f.plain)return s.slice(0,columns-1)+'\\u2026';\n"
    "  m=/^(.*?[^ .])\\(.*$/.exec(s);if(m)s=m[1];\n"
    "  var parts=s.split('.');\n"
    "  for(var i=0;s.length>columns&&i<parts.length-2;i++){\n"
    "   parts[i]=parts[i].slice(0,1);s=parts.join('.');}\n"
    "  if(s.length>columns&&parts.length>1)s=parts.slice(-2).join('.');\n"
    "  return s.length<=columns?s:'\\u2026'+s.slice(s.length-columns+1);}\n"
    " function place(f){\n"
    "  var scale=W/(view[1]-view[0]),a=Math.max(f.x,view[0]),b=Math.min(f.x+f.w,view[1]);\n"
    "  var w=(b-a)*scale,x=(a-view[0])*scale,label;\n"
    "  f.shown=w>=0.05;f.g.style.display=f.shown?'':'none';\n"
    "  if(!f.shown)return;\n"
    "  f.rect.setAttribute('x',x.toFixed(3));f.rect.setAttribute('width',w.toFixed(3));\n"
    "  f.g.classList.toggle('cut',b-a<f.w-1e-6);f.g.classList.toggle('n',w<2);\n"
    "  label=fit(f,Math.floor((w-6)/CHAR));\n"
    "  if(label&&!f.text){\n"
    "   f.text=document.createElementNS(NS,'text');f.text.setAttribute('y',f.y+12);\n"
    "   f.g.appendChild(f.text);}\n"
    "  if(f.text){f.text.textContent=label;f.text.setAttribute('x',(x+3).toFixed(2));}}\n"
    " function show(){frames.forEach(place);axis();\n"
    "  reset.style.visibility=past.length?'visible':'hidden';}\n"
    /* Times at round places, of a chart. */
    " function axis(){\n"
    "  var g=svg.querySelector('.axis');if(!g)return;\n"
    "  var from=+svg.dataset.from,to=+svg.dataset.to,per=(to-from)/W;\n"
    "  var a=from+view[0]*per,b=from+view[1]*per,step=1,least=(b-a)/10,t,x,e,n;\n"
    "  while(step<least)step*=10;while(step/2>=least)step/=2;if(step/2.5>=least)step/=2.5;\n"
    "  n=Math.max(0,Math.ceil(6-Math.log10(step)));\n"
    "  while(g.firstChild)g.removeChild(g.firstChild);\n"
    "  for(t=Math.ceil(a/step)*step;t<=b-50*(b-a)/W;t+=step){\n"
    "   x=(t-a)/(b-a)*W;e=document.createElementNS(NS,'text');e.setAttribute('x',x.toFixed(1));\n"
    "   e.setAttribute('y',g.dataset.y);e.textContent=(t/1e6).toFixed(Math.min(n,6))+' ms';\n"
    "   g.appendChild(e);}}\n"
    " function zoom(f){\n"
    "  if(!f||f.w<=0)return;\n"
    "  past.push(view);view=[f.x,f.x+f.w];show();focus(f);}\n"
    " function back(){if(past.length){view=past.pop();show();keep();}}\n"
    " function all(){past=[];view=[0,W];show();keep();}\n"
    " function keep(){if(current)focus(current);}\n"
    " function tell(f){details.textContent=f?f.name+'   '+f.info:'';}\n"
    " function focus(f){\n"
    "  if(current)current.g.setAttribute('tabindex','-1');\n"
    "  current=f;f.g.setAttribute('tabindex','0');f.g.focus({preventScroll:false});tell(f);}\n"
    /* The nearest shown frame in a direction that shares some of the width. */
    " function step(dx,dy){\n"
    "  var c=current,best=null,score=1e18;\n"
    "  if(!c||!c.shown){best=frames.find(function(f){return f.shown;});}\n"
    "  else frames.forEach(function(f){\n"
    "   var s,over=Math.min(f.x+f.w,c.x+c.w,view[1])-Math.max(f.x,c.x,view[0]);\n"
    "   if(!f.shown||f===c)return;\n"
    "   if(dy){if((f.y-c.y)*dy<=0||over<=0)return;s=Math.abs(f.y-c.y)*1e6-over;}\n"
    "   else{if(f.y!==c.y||(f.x-c.x)*dx<=0)return;s=Math.abs(f.x-c.x);}\n"
    "   if(s<score){score=s;best=f;}});\n"
    "  if(best)focus(best);}\n"
    /* Widths of matching frames; those below another one count with it. */
    " function search(){\n"
    "  var s=input.value,re=null,ends=new Map(),sum=0;\n"
    "  input.removeAttribute('aria-invalid');matched.textContent='';\n"
    "  try{if(s)re=new RegExp(s,/[A-Z]/.test(s)?'':'i');}\n"
    "  catch(e){\n"
    "   input.setAttribute('aria-invalid','true');matched.textContent='no such expression';}\n"
    "  hits=frames.filter(function(f){\n"
    "   var hit=!!re&&re.test(f.name);f.g.classList.toggle('hit',hit);return hit;});\n"
    "  if(!re)return;\n"
    "  hits.sort(function(a,b){return a.x-b.x||b.w-a.w;}).forEach(function(f){\n"
    "   var end=ends.get(f.band)||0,from=Math.max(f.x,end);\n"
    "   if(f.x+f.w>from){sum+=f.x+f.w-from;ends.set(f.band,f.x+f.w);}});\n"
    "  matched.textContent=hits.length+(hits.length===1?' frame':' frames')+\n"
    "   (chart?'':', '+(100*sum/W).toFixed(2)+' %')+' matched';}\n"
    " function next(d){\n"
    "  var shown=hits.filter(function(f){return f.shown;}),i=shown.indexOf(current);\n"
    "  if(shown.length)focus(shown[(i<0?(d>0?0:shown.length-1):i+d+shown.length)%shown.length]);}\n"
    " var keys={ArrowUp:function(){step(0,-1);},ArrowDown:function(){step(0,1);},\n"
    "  ArrowLeft:function(){step(-1,0);},ArrowRight:function(){step(1,0);},\n"
    "  Enter:function(){zoom(current);},' ':function(){zoom(current);},\n"
    "  Escape:back,Backspace:back,'0':all,Home:all,\n"
    "  '/':function(){input.focus();input.select();},\n"
    "  n:function(){next(1);},N:function(){next(-1);}};\n"
    " svg.addEventListener('keydown',function(e){\n"
    "  if(e.ctrlKey||e.altKey||e.metaKey)return;\n"
    "  if(e.target===input){\n"
    "   if(e.key==='Enter')next(e.shiftKey?-1:1);\n"
    "   else if(e.key==='Escape'){input.value='';search();step(0,0);keep();}\n"
    "   else return;\n"
    "  }else if(e.target===reset&&(e.key==='Enter'||e.key===' '))all();\n"
    "  else if(keys.hasOwnProperty(e.key))keys[e.key]();\n"
    "  else return;\n"
    "  e.preventDefault();e.stopPropagation();});\n"
    " function of(e){var g=e.target.closest?e.target.closest('g.f'):null;return g?g.flame:null;}\n"
    " svg.addEventListener('click',function(e){var f=of(e);if(f)zoom(f);});\n"
    " svg.addEventListener('mouseover',function(e){tell(of(e)||current);});\n"
    " svg.addEventListener('focusin',function(e){\n"
    "  var f=of(e);if(f&&f!==current){current=f;tell(f);}});\n"
    " reset.addEventListener('click',all);\n"
    " input.addEventListener('input',search);\n"
    " svg.classList.add('on');reset.style.visibility='hidden';\n"
    " if(frames.length){current=frames[0];current.g.setAttribute('tabindex','0');}\n"
    "});\n";
