#! /usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# slowtop serve as people use it: in Chromium, which chromedriver drives by WebDriver's HTTP.

import atexit, json, os, shutil, subprocess, sys, urllib.parse, urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from served import *

DRIVER = shutil.which('chromedriver')
CHROMIUM = shutil.which('chromium') or shutil.which('chromium-browser')
ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'  # WebDriver's name of what refers to one


class Browser:
	def __init__(self):
		self.kept = tmp + '/kept'
		os.mkdir(self.kept)
		self.driver = subprocess.Popen([DRIVER, '--port=0', '--log-path=' + tmp + '/driver.log'],
		    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
		atexit.register(self.end)  # also when a part fails
		words = ''
		while ' on port ' not in words or words.rstrip('.\n').endswith('port 0'):
			words = self.driver.stdout.readline().decode()
			if not words:
				raise OSError('chromedriver ended')
		self.base = 'http://127.0.0.1:%d/session' % int(words.split(' on port ')[1].strip('. \n').split()[0])
		self.base += '/' + self.ask('', {'capabilities': {'alwaysMatch': {'browserName': 'chrome', 'goog:loggingPrefs':
		    {'browser': 'ALL'}, 'goog:chromeOptions': {'binary': CHROMIUM, 'args': ['--headless', '--no-sandbox', '--disable-gpu',
		    '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
		    '--disable-dev-shm-usage', '--user-data-dir=' + tmp + '/profile'], 'prefs': {'download.default_directory': self.kept,
		    'download.prompt_for_download': False}}}}})['sessionId']

	def ask(self, path, body=None, method=None):
		request = urllib.request.Request(self.base + path, None if body is None else json.dumps(body).encode(),
		    {'Content-Type': 'application/json'}, method=method)
		with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
			return json.load(answer)['value']

	def end(self):
		try:
			if self.driver.poll() is None:
				self.ask('', method='DELETE')
		except OSError:
			pass
		finally:
			self.driver.terminate()
			self.driver.wait()
			self.driver.stdout.close()

	def go(self, url):
		self.ask('/url', {'url': url})

	def at(self):
		return urllib.parse.urlparse(self.ask('/url')).path

	def text(self):
		return self.js('return document.documentElement.textContent')

	def js(self, script):
		return self.ask('/execute/sync', {'script': script, 'args': []})

	def all(self, css):
		return [x[ELEMENT] for x in self.ask('/elements', {'using': 'css selector', 'value': css})]

	def click(self, css, nth=0):
		self.ask('/element/%s/click' % self.all(css)[nth], {})

	def follow(self, words):
		link = self.ask('/element', {'using': 'link text', 'value': words})[ELEMENT]
		self.ask('/element/%s/click' % link, {})

	def type(self, css, text):
		self.ask('/element/%s/value' % self.all(css)[0], {'text': text})

	def shows(self, path, *words):
		"""Does it come to a page, and does that have the words?"""
		return wait_for(lambda: self.at() == path and all(word in self.text() for word in words), 20)

	def complaints(self):
		return [x['message'] for x in self.ask('/se/log', {'type': 'browser'}) if 'favicon' not in x['message']]


def upload(name, token=None):
	if token is not None:
		browser.type('input[name=token]', token)
	browser.type('input[type=file]', tmp + '/' + name)
	browser.click('form[action=upload] button')


def keeps(words, name, wanted):
	browser.follow(words)
	path = browser.kept + '/' + name
	there = wait_for(lambda: os.path.exists(path))
	got = there and open(path, 'rb').read()
	result('"%s" is kept as %s' % (words, name), there and got == wanted, (os.listdir(browser.kept), browser.complaints()))


def look(name, path, *words):
	result(name, browser.shows(path, *words), (browser.at(), browser.text()[:500]))


def forms():
	upload('first.trace')
	look('the form takes a trace and shows it', '/t/' + id_of(first), 'first.trace', 'a.Alpha')
	browser.follow('All traces')
	look('the way back', '/', 'first.trace')
	upload('second.trace')
	page = '/t/' + id_of(second)
	look('a second one', page, 'second.trace')
	for words, suffix, has in (('JSON', '/report.json', '"Alpha"'), ('properties', '/info.json', 'threads'),
	    ('flame graph', '/flame.svg', 'a.Alpha')):
		browser.go(s.address.rstrip('/') + page)
		browser.follow(words)
		look('link: ' + words, page + suffix, has)
	shown = browser.js('const r = [...document.querySelectorAll("rect")].filter(r => r.getBoundingClientRect().width > 100);'
	    'return [document.contentType, r.length, r[0] && r[0].getBoundingClientRect().height]')
	result('the flame graph is a picture', shown[0] == 'image/svg+xml' and shown[1] > 1 and shown[2] > 5, shown)
	browser.go(s.address.rstrip('/') + page)
	opened = 'return [...document.querySelectorAll("details[name=graph]")].map(d => d.open && d.querySelector("svg").clientWidth > 100)'
	closed = browser.js(opened)
	browser.click('a[href="#graph1"]')
	result('a link to a thread opens its flame graph', wait_for(lambda: browser.js(opened) == [False, True], 20) and
	    closed == [False, False], (closed, browser.js(opened)))
	browser.click('a[href="#graph0"]')
	result('in place of that of another', wait_for(lambda: browser.js(opened) == [True, False], 20), browser.js(opened))
	keeps('the file', 'second.trace', second)
	keeps('CSV', 'second.trace.csv', s.get(page + '/report.csv')[1])


def comparisons():
	place = '/d/%s..%s' % (id_of(first), id_of(second))
	browser.type('select[name=t]', 'first.trace')
	browser.click('form[action="../d"] button')
	look('the form of a page compares', place, 'A: first.trace', 'B: second.trace', 'What changed', 'More time (')
	shown = browser.js('return [...document.querySelectorAll("g.f rect")].map(r => [r.getBoundingClientRect().width, r.getAttribute("fill")])')
	result('its flame graph is coloured by the change', len(shown) == 4 and shown[1][0] > 100 and shown[1][1] == '#a63603', shown)
	widths = 'return [...document.querySelectorAll("g.f")].map(g => g.style.display === "none" ? 0 : g.querySelector("rect").getBoundingClientRect().width)'
	sides = browser.js('return [...document.querySelectorAll("g.f")].map(g => g.dataset.sides.split(" ").map(Number))')
	for name, side in (('new', 1), ('base', 0), ('change', 2)):
		browser.click('input[value=%s]' % name)
		seen, whole = browser.js(widths), sides[0][side]
		result('frames as wide as ' + name, all(abs(w - s[side] * seen[0] / whole) < 3 for w, s in zip(seen, sides)), (seen, sides))
	browser.js('document.querySelector("g.f").focus()')
	browser.js('document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "v", bubbles: true}))')
	result('a key goes on to both', browser.js('return document.querySelector("input[value=both]").checked'))
	browser.follow('first.trace')
	look('from there to a trace', '/t/' + id_of(first), 'first.trace')
	browser.follow('All traces')
	look('and to all', '/', 'second.trace')
	# The later trace is the first of the list; the same second of the clock may be that of both.
	os.utime('%s/traces/%s.trace' % (tmp, id_of(first)), (0, 1e9))
	browser.go(s.address)
	browser.click('input[name=t]', 0)
	browser.click('input[name=t]', 1)
	browser.click('form[action=d] button')
	look('two boxes of the list make it', place, 'A: first.trace')
	browser.follow('text')
	look('as text', place + '.txt', 'More time (')
	browser.go(s.address)
	browser.click('input[name=b]', 0)
	browser.click('input[name=t]', 1)
	browser.click('form[action=d] button')
	look('so do a box of A and one of B', place, 'A: first.trace')
	browser.go(s.address)
	browser.click('input[name=t]', 0)
	browser.click('form[action=d] button')
	look('one does not', '/d', 'choose two')
	browser.follow('All traces')


def search():
	look('the list', '/', '2 traces')
	browser.type('input[name=q]', 'sec')
	browser.click('form[action="./"] button')
	look('search', '/', 'second.trace', '1 trace')
	complaints = [x for x in browser.complaints() if '/d?' not in x]  # that was refused
	result('the browser has nothing else to complain of', not complaints and 'first.trace' not in browser.text(), complaints)


# As a desktop does it: files in an event, which a test cannot drag from elsewhere.
DROP = """const files = new DataTransfer(), over = new DragEvent('dragover', {dataTransfer: files, cancelable: true, bubbles: true});
    for (const [name, bytes] of %s) files.items.add(new File([new Uint8Array(bytes)], name));
    document.body.dispatchEvent(over);
    const marked = document.body.className;
    document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: files, cancelable: true, bubbles: true}));
    return [over.defaultPrevented, marked, document.body.className, document.querySelector('progress').hidden]"""


def drops():
	fresh = [trace(x, 'clock dual\nthread 1 main\n0 1 > a.%s\n90 1 <\n' % x) for x in ('One', 'Two', 'Three')]
	named = [['<b>one & %', list(fresh[0])]]
	browser.go(s.address)
	look('the list says that it takes what is dropped', '/', 'or drop traces on this page')
	got = browser.js(DROP % json.dumps(named))
	result('a drop is taken and has a bar', got == [True, 'over', '', False], got)
	look('and leads to its page', '/t/' + id_of(fresh[0]), '<b>one & %', 'a.One')
	browser.go(s.address)
	browser.js(DROP % json.dumps([['two', list(fresh[1])], ['three', list(fresh[2])]]))
	result('two lead to the list', wait_for(lambda: browser.at() == '/' and 'two' in browser.text() and 'three' in browser.text() and
	    'is sent' not in browser.text(), 20), browser.text())
	# The list may be loaded again for the two.
	browser.go(s.address)
	browser.js(DROP % json.dumps([['<i>pic.png', [0x89, 0x50, 0x4e, 0x47] + [0] * 99]]))
	look('what is no trace is told with its name', '/', '<i>pic.png: This is no trace that slowtop reads: <i>pic.png: ')
	result('and drawn as text', browser.js('return [document.querySelectorAll("form i").length, document.querySelector("progress").hidden,'
	    'document.querySelector("output").className]') == [0, True, 'worse'])
	for data in fresh:
		s.ask('DELETE', '/t/' + id_of(data))
	browser.complaints()


def tokens():
	with open(tmp + '/token', 'w') as f:
		f.write('correct-horse-battery\n')
	other = Server(tmp + '/tokens', '--token-file=' + tmp + '/token', '--read-token')
	browser.go(other.address.replace('//', '//anybody:correct-horse-battery@'))
	upload('first.trace')
	look('with a token as the password', '/t/' + id_of(first), 'a.Alpha')
	os.unlink(browser.kept + '/second.trace')
	browser.follow('All traces')
	look('the list with it', '/', 'first.trace')
	other = Server(tmp + '/tokens2', '--token-file=' + tmp + '/token')
	browser.go(other.address)
	upload('first.trace', 'wrong-horse-battery')
	look('a wrong one in the form', '/', 'first.trace: A token is needed')
	browser.go(other.address)
	upload('first.trace', 'correct-horse-battery')
	look('a good one', '/t/' + id_of(first), 'a.Alpha')


if DRIVER is None or CHROMIUM is None:
	shutil.rmtree(tmp)
	skip('no chromium and chromedriver')
first = trace('first.trace', 'clock dual\nthread 1 main\n0 1 > a.Alpha\n1 1 > a.Beta\n2 1 <\n90 1 <\n')
second = trace('second.trace', 'clock dual\nthread 1 main\nthread 2 pool\n0 2 > a.Pool\n50 2 <\n0 1 > a.Alpha\n1 1 > a.Beta\n90000 1 <\n99999 1 <\n')
try:
	browser = Browser()
except OSError as e:
	shutil.rmtree(tmp)
	skip('chromium does not start: %s' % e)
s = Server(tmp + '/traces')
browser.go(s.address)
run_all(forms, comparisons, search, drops, tokens, browser.end)
