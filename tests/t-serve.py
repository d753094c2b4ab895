#! /usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# slowtop serve: what it answers, what it refuses, and how it ends.

import base64, gzip, html, http.client, json, os, re, shutil, signal, socket, subprocess, sys, threading, urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from served import *


def uploads():
	global a, b, id_a, id_b
	a = trace('a', 'clock dual\nthread 1 main\nthread 2 <b>io\n0 1 > a.A\n1 1 > a.<i>B\n2 1 <\n'
	    '3 2 > c.D\n4 2 <\n9 1 <\n')
	b = trace('b', 'clock dual\nthread 1 main\n0 1 > a.A\n1000 1 > a.C\n90000 1 <\n99999 1 <\n')
	id_a, id_b = id_of(a), id_of(b)

	status, body, headers = s.ask('PUT', '/upload/first.trace', a)
	result('PUT: 201 and the address', status == 201 and leads('/upload/first.trace', headers) == '/t/' + id_a and
	    body.decode() == s.address + 't/%s\n' % id_a, (status, body))
	headers = {'X-Forwarded-Proto': 'https', 'X-Forwarded-Prefix': '/deep/'}
	body = s.ask('PUT', '/upload/first.trace', a, headers, host='localhost')[1]
	result('as a proxy tells it, whole', body.decode() == 'https://localhost/deep/t/%s\n' % id_a, body)
	status, _, _ = s.ask('PUT', '/upload/first.trace', a)
	result('the same again: 200, one copy', status == 200 and
	    len([f for f in files(folder) if f.endswith('.trace')]) == 1, status)
	body, headers = form([('trace', (MARKUP.replace('"', ''), b))])
	headers['Origin'] = 'http://evil.example'
	result('a form of another site: 403', s.ask('POST', '/upload', body, headers)[0] == 403)
	headers['Origin'] = 'http://127.0.0.1:%d' % s.port
	headers['Sec-Fetch-Site'] = 'cross-site'
	result('a request of another site: 403', s.ask('POST', '/upload', body, headers)[0] == 403)
	headers['Sec-Fetch-Site'] = 'same-origin'
	status, _, got = s.ask('POST', '/upload', body, headers)
	result('the own form: 303', status == 303 and leads('/upload', got) == '/t/' + id_b, status)
	body, headers = form([('trace', ('x', trace('unended', 'clock dual\nthread 1 main\n0 1 > a.U\n7 1 <\n')))])
	got = [s.ask('POST', '/upload', x, headers)[0] for x in (body[:-8], body[:-4], body[:-2], body)]
	result('a form without its last boundary is refused', got == [400, 400, 303, 303], got)
	body, headers = form([('trace', ('x', b))])
	s.ask('POST', '/upload', body.replace(b' name="trace";', b''), headers)
	result('a form with a part that has no name', s.get('/healthz')[0] == 200)
	status, body, _ = s.ask('PUT', '/upload/x', b'\x89PNG\r\n\x1a\n' + bytes(1000))
	result('a picture: 415 with words', status == 415 and b'slowtop' in body, (status, body))
	result('nothing is left of it', wait_for(lambda: not os.listdir(folder + '/tmp')), files(folder))
	status, _, _ = s.ask('PUT', '/upload/x', bytes(2 << 20))
	result('too large, by its length: 413', status == 413, status)
	chunk = b'%x\r\n' % (2 << 20) + bytes(2 << 20) + b'\r\n0\r\n\r\n'
	status, _, _ = s.ask('PUT', '/upload/x', chunk, {'Transfer-Encoding': 'chunked'})
	result('too large, in chunks: 413', status == 413, status)
	result('nothing is left of them', wait_for(lambda: not os.listdir(folder + '/tmp')), files(folder))
	c = socket.create_connection(('127.0.0.1', s.port), timeout=PATIENCE)
	half = trace('half', 'clock dual\nthread 1 main\n0 1 > a.H\n7 1 <\n')
	c.sendall(b'PUT /upload/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n' % len(half) + half)
	c.shutdown(socket.SHUT_WR)
	got = c.recv(100)
	result('a client that ends its half gets its answer', got.startswith(b'HTTP/1.1 201'), got)
	c.close()
	for x in (half, open(tmp + '/unended', 'rb').read()):
		s.ask('DELETE', '/t/' + id_of(x))
	c = socket.create_connection(('127.0.0.1', s.port))
	c.sendall(b'PUT /upload/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n' + bytes(80000))
	there = wait_for(lambda: os.listdir(folder + '/tmp'))
	c.close()
	result('an upload that breaks off leaves nothing', there and
	    wait_for(lambda: not os.listdir(folder + '/tmp')), files(folder))


def pages():
	status, body, _ = s.get('/')
	text = body.decode()
	result('the list has both, escaped', status == 200 and '"t/' + id_a in text and '"t/' + id_b in text and
	    '<script>' not in text and '\u202e' not in text and '&lt;script&gt;' in text and '^J' not in text, text)
	s.ask('PUT', '/upload/open', trace('open', 'clock dual\nthread 1 main\n0 1 > a.A\n5 1 > a.B\n'))
	s.ask('PUT', '/upload/cut', a[:-3])
	result('nothing in it is damaged, nor are calls that are open at the end', 'less">damaged' not in text and
	    s.get('/')[1].count(b'less">damaged') == 1, text)
	result('it tells length and kind', '<td class="n">9.000 us</td><td class="less w">method trace, classic</td>' in text, text)
	result('and what is slow first', re.search(r'>first.trace</a></td><td class="less"></td><td>no message late: ', text.replace('<wbr>', '')), text)
	headers = s.get('/')[2]
	script = s.get('/upload.js')
	result('its only script has an address', text.count('<script') == 1 and '<script src="upload.js" defer></script>' in text and
	    script[0] == 200 and script[2]['Content-Type'] == 'text/javascript' and b"'use strict'" in script[1] and
	    "script-src 'self'; connect-src 'self'" in headers['Content-Security-Policy'] and
	    "default-src 'none'" in headers['Content-Security-Policy'], (headers, script))
	text = s.get('/?q=first')[1].decode()
	result('search', '"t/' + id_a in text and '"t/' + id_b not in text, text)
	text = s.get('/?q=%22%3E%3Cscript%3E')[1].decode()
	result('what was searched for is escaped', '<script>' not in text, text)
	status, body, _ = s.get('/t/' + id_a)
	text = body.decode()
	result('a page with links', status == 200 and 'a.&lt;i&gt;B' in text and
	    '&lt;b&gt;io, 0.001 ms</summary>' in text and '<b>io' not in text, text[:3000])
	many = trace('many', 'clock dual\n' + ''.join('thread %d t%d\n0 %d > a.A\n%d %d <\n' % (i, i, i, 100 + i, i) for i in range(1, 14)))
	s.ask('PUT', '/upload/many', many)
	page = '/t/' + id_of(many)
	text = s.get(page)[1].decode()
	links = re.findall(r'href="(\?thread=[^"]*)">(\w+)</a>', text)
	result('threads without a graph are links, by weight', text.count('<details name="graph">') == 9 and
	    links == [('?thread=%d#flame' % i, 't%d' % i) for i in (4, 3, 2, 1)] and '4 more threads: ' in text, links)
	text = s.get(page + '?thread=4')[1].decode()
	result('and lead to theirs, and back', 'CPU time of t4, 0.104 ms. <a href="?#flame">All threads</a>' in text and
	    '<details name="graph">' not in text, text)
	status, body, _ = s.get('/t/' + id_b)
	result('names with markup are text', status == 200 and b'<script>alert' not in body, body[:2000])
	status, body, headers = s.get('/t/%s/raw' % id_a)
	result('the file', body == a and 'attachment' in headers['Content-Disposition'] and
	    headers['Content-Type'] == 'application/octet-stream', status)
	result('pages are as wide as the window', all(b'<meta name="viewport"' in s.get(x)[1]
	    for x in ('/', '/t/' + id_a, '/d/%s..%s' % (id_a, id_b), '/nothing')))
	file_a, file_b = folder + '/' + id_a + '.trace', folder + '/' + id_b + '.trace'
	name_a = '--name=first.trace'
	name_b = '--name=' + open(folder + '/' + id_b + '.name').read()
	for path, words in (
	    ('/t/%s/report.json?view=methods&limit=1' % id_a,
		('report', '--format=json', '--view=methods', '--limit=1', name_a, file_a)),
	    ('/t/%s/report.csv?view=threads' % id_a, ('report', '--format=csv', '--view=threads', name_a, file_a)),
	    ('/t/%s/info.json' % id_a, ('info', '--format=json', name_a, file_a)),
	    ('/t/%s/flame.svg?thread=1' % id_a, ('flame', '--title=first.trace', '--thread=1', file_a)),
	    ('/d/%s..%s.json' % (id_a, id_b), ('diff', '--format=json', name_a, name_b, file_a, file_b)),
	    ('/d/%s..%s.txt' % (id_a, id_b), ('diff', '--format=text', name_a, name_b, file_a, file_b))):
		status, body, _ = s.get(path)
		result('as the command line: ' + ' '.join(words[:2]), status == 200 and
		    body == run(*words).stdout, (status, body[:500]))
	status, body, _ = s.get('/d/%s..%s?gate=point&fail-above=10%%25' % (id_a, id_b))
	result('slower than allowed: 409', status == 409 and b'A' in body, (status, body))
	status, _, _ = s.get('/d/%s..%s?gate=point&fail-above=10%%25' % (id_b, id_a))
	result('not slower: 200', status == 200, status)
	for again in range(2):
		status, body, _ = s.get('/d/%s..%s?fail-above=10%%25' % (id_b, id_a))
		result('one run on each side cannot tell: 422', status == 422 and b'no spread' in body, (status, body))
	result('the form: to the comparison', leads('/d', s.get('/d?t=%s&t=%s' % (id_b, id_a))[2]) ==
	    '/d/%s..%s' % (id_a, id_b))
	for query in ('output=/tmp/x', 'mapping=/etc/passwd', 'config=x', 'view=nonsense', 'filter=(', 'view'):
		status, body, _ = s.get('/t/%s/report.json?%s' % (id_a, query))
		result('refused: ' + query, status == 400, (status, body))
	done = []
	threads = [threading.Thread(target=lambda: done.append(s.get('/t/%s/report.json?limit=7' % id_b)[0]))
	    for _ in range(40)]
	for t in threads:
		t.start()
	for t in threads:
		t.join()
	result('forty at once ask for one report', done.count(200) + done.count(503) == 40 and 200 in done, done)


# Of a trace's page and of what it leads to: addresses and what was wrong with them.
def follow(first):
	seen, wrong, todo = set(), [], [first]
	while todo:
		page = todo.pop()
		if page in seen:
			continue
		seen.add(page)
		status, body, headers = s.get(page)
		if status != 200:
			wrong.append((page, status, body[-200:]))
		if headers['Content-Type'].startswith('text/html'):
			for link in re.findall('href="([^"#]+)"', body.decode()):
				place = urllib.parse.urljoin(page, html.unescape(link))
				todo += [place] if place != '/' else []
	return seen, wrong


# Processes 7 and 9 have asynchronous rows; 7 is a thread, too, 9 is none.
MARKS = [('7', 'B|7|Sync'), ('7', 'S|7|Async/ä&"|1'), ('7', 'E|7'), ('7', 'F|7|Async/ä&"|1'), ('10', 'S|9|Other|1'), ('10', 'F|9|Other|1')]
LOG = '# tracer: nop\n#\n' + ''.join(' main-%s ( %s) [000] .... 1.%06d: tracing_mark_write: %s\n' % (
    tid.ljust(2), '7' if tid == '7' else '9', i * 100, text) for i, (tid, text) in enumerate(MARKS))


def links():
	s.ask('PUT', '/upload/rows.ftrace', LOG.encode())
	seen, wrong = follow('/t/' + id_of(LOG.encode()))
	result('all links of rows', not wrong, wrong)
	shared = os.environ.get('SLOWTOP_SHARED', '.') + '/samples'
	for name in ('ftrace/catapult_atrace_missing_tgids.txt', 'ftrace/docs_myTest_api19.ftrace', 'ftrace/trappy_legacy_systrace.html',
	    'art/fxprof-art-streaming.trace', 'art/vroom-no_methods_no_records.trace'):
		if not os.path.exists(shared + '/' + name):
			skipped('no ' + name)
			continue
		with open(shared + '/' + name, 'rb') as f:
			data = f.read()
		s.ask('PUT', '/upload/x', data)
		seen, wrong = follow('/t/' + id_of(data))
		result('all %d links of %s' % (len(seen), name), len(seen) > 5 and not wrong, wrong[:5])


# Requests of every kind twice at once, and what was made for one is for the other.
def twice():
	def both(*words):
		done = []
		threads = [threading.Thread(target=lambda: done.append(s.ask(*words))) for _ in range(4)]
		for t in threads:
			t.start()
		for t in threads:
			t.join()
		return done

	other = trace('other', 'clock dual\nthread 1 main\n0 1 > a.Twice\n7 1 <\n')
	place = '/t/' + id_of(other)
	body, headers = form([('trace', ('x', other))])
	got = sorted(x[0] for x in both('PUT', '/upload/x', other))
	result('four uploads of a trace at once: one is the first', got == [200, 200, 200, 201], got)
	both('DELETE', place)
	got = [x[0] for x in both('POST', '/upload', body, headers)]
	result('and by the form', got == [303] * 4, got)
	for path in ('/', '/?q=x', '/healthz', place, place + '/raw', place + '/flame.svg', place + '/report.json',
	    place + '/report.csv', place + '/info.json', '/d?t=%s&t=%s' % (id_a, id_b), '/nothing', place + '/report.json?x=y',
	    place + '/report.json?filter=(', '/d/%s..%s.json' % (id_a, id_b), '/d/%s..%s?limit=2' % (id_a, id_b)):
		got = both('GET', path)
		result('four times at once: ' + path[:50], got[0][:2] == got[1][:2] == got[2][:2] == got[3][:2] and
		    got[0][0] in (200, 303, 400, 404), got)
	gate = '/d/%s..%s?gate=point&fail-above=10%%25&limit=3' % (id_a, id_b)
	got = [x[0] for x in both('GET', gate)] + [s.get(gate)[0]]
	result('a gate that closes is closed for all, and later', got == [409] * 5, got)
	got = sorted(x[0] for x in both('DELETE', place))
	result('removals at once', set(got) <= {200, 404} and 200 in got, got)


# A trace has the name that its sender gave it, whole, wherever it is named.
def names():
	long_ = 'a%20long/' + 'name-' * 40 + '.trace'
	wanted = urllib.parse.unquote(long_)
	data = trace('named', 'clock dual\nthread 1 main\n0 1 > a.N\n7 1 <\n')
	s.ask('PUT', '/upload/' + long_, data)
	page = '/t/' + id_of(data)
	got = {x: s.get(page + x)[1].decode().replace('<wbr>', '') for x in ('', '/report.json', '/info.json', '/report.csv', '/flame.svg')}
	pair = '/d/%s..%s' % (id_of(data), id_a)
	got.update({x: s.get(pair + x)[1].decode() for x in ('.txt', '.json')})
	wrong = [x for x in got if x != '/report.csv' and wanted not in got[x]] + [x for x in got if '.trace' in got[x].replace(
	    wanted, '').replace('first.trace', '')]
	result('a name is whole in all reports', not wrong and '<h1>%s</h1>' % wanted in got[''] and s.get('/')[1].decode().replace('<wbr>', '').count(
	    wanted) == 1, (wrong, got[wrong[0]][:1500] if wrong else ''))
	result('and as JSON', json.loads(got['/info.json'])['trace']['file'] == wanted, got['/info.json'])
	with open(tmp + '/map', 'w') as f:
		f.write('com.example.A -> a:\n')
	with open(tmp + '/named.info', 'w') as f:
		f.write('command = slowtop record -o %s/named\napp = x\n' % tmp)
	done = run('html', '--mapping=' + tmp + '/map', tmp + '/named')
	result('slowtop html names no folder of the machine', done.returncode == 0 and tmp.encode() not in done.stdout and
	    b'<dd>named</dd>' in done.stdout and b'RECORDED' in done.stdout and b'names that map gives' in done.stdout, done.stdout[-3000:])


# Several runs on each side: five whose method takes 10 ms and a bit, five with 12 and a bit.
def several():
	sides, before = [], s.get('/')[1]
	for base in (10000, 12000):
		sides.append([trace('run%d' % (base + i), 'clock wall\nthread 1 main\n0 1 > a.R\n%d 1 <\n' % (base + 20 * i))
		    for i in range(5)])
	for data in sides[0] + sides[1]:
		s.ask('PUT', '/upload/run-%s.trace' % id_of(data)[:4], data)
	ids = [[id_of(x) for x in side] for side in sides]
	place = '/d/' + '..'.join(','.join(side) for side in ids)
	words = ['--name=run-%s.trace' % x[:4] for side in ids for x in side]
	for option, side in zip(('--base', '--new'), ids):
		words += [option] + ['%s/%s.trace' % (folder, x) for x in side]
	for form in ('txt', 'json'):
		status, body, _ = s.get(place + '.' + form)
		result('several runs as the command line: ' + form, status == 200 and
		    body == run('diff', '--format=' + form.replace('txt', 'text'), *words).stdout, (status, body[:800]))
	status, body, _ = s.get(place + '?fail-above=10%25')
	text = body.decode().replace('<wbr>', '')
	result('slower by five runs a side: 409', status == 409 and 'Slower than allowed' in text and
	    'Slower (1)' in text and 'id="flame"' in text and id_of(sides[0][0]) + '.trace' not in text, (status, text[:3000]))
	result('with ways to all of them', all('"../t/%s"' % x in text for side in ids for x in side) and
	    'href="%s"' % '..'.join(','.join(side) for side in ids[::-1]) in text, text[:3000])
	status, _, _ = s.get(place + '?fail-above=30%25')
	result('not by so much: 200', status == 200, status)
	status, body, _ = s.get('/d/%s..%s?fail-above=10%%25' % (','.join(ids[0][:2]), ','.join(ids[1][:2])))
	result('two runs a side cannot tell: 422', status == 422 and b'Cannot tell</b>' in body, (status, body[:300]))
	status, body, _ = s.get(place + '?gate=point')
	result('the point gate is of two', status == 400 and b'two traces' in body, (status, body))
	status, body, _ = s.get('/d/%s,%s..%s' % (ids[0][0], ids[0][0], ids[1][0]))
	result('a copy is no run', status == 400 and b'twice' in body, (status, body))
	for wrong in (','.join(ids[0]), ids[0][0] + ',..' + ids[1][0], ids[0][0] + '..' + ids[1][0] + ',', '..' + ids[1][0],
	    ','.join([ids[0][0]] * 21) + '..' + ids[1][0]):
		result('no comparison: ' + wrong[-40:], s.get('/d/' + wrong)[0] == 404)
	query = '&'.join('t=' + x for x in ids[0]) + '&' + '&'.join('b=' + x for x in ids[1])
	result('the form: boxes of both sides', leads('/d', s.get('/d?' + query)[2]) == place)
	for wrong in ('b=' + ids[1][0], '&'.join('t=' + x for x in ids[0])):
		result('the form: no sides: ' + wrong[:9], s.get('/d?' + wrong)[0] == 400)
	kept = lambda: [x for x in os.listdir(folder + '/cache') if x.startswith('ffff')]
	result('what was made is kept', len(kept()) >= 4, kept())
	s.ask('DELETE', '/t/' + ids[1][4])
	result('until one of the traces goes', kept() == [] and s.get(place)[0] == 404, kept())
	for x in (ids[0] + ids[1])[:-1]:
		s.ask('DELETE', '/t/' + x)
	result('the list is as before', s.get('/')[1] == before)


def texts():
	status, body, _ = s.get('/d/%s..%s?gate=point&fail-above=10%%25' % (id_a, id_b))
	text = body.decode()
	text = text.replace('<wbr>', '')
	result('a comparison is a page with names and ways back', status == 409 and 'Slower than allowed' in text and
	    '<a href="../">' in text and 'A: <a href="../t/%s">first.trace</a>' % id_a in text and '&lt;script&gt;' in text and
	    MARKUP[:8] + 'alert' not in text and id_a + '.trace' not in text and '^J' not in text, text)
	result('with verdicts, a flame graph and lists', all(x in text for x in ('id="verdicts"', 'compared with first.trace</h1>',
	    'because calls are 10.99 ms longer', ' (new)', '>Only in A (')), text)
	status, body, _ = s.ask('PUT', '/upload/my%20app.png', b'\x89PNG' + bytes(99))
	result('errors name the file as its sender did', status == 415 and b'my app.png: ' in body and b'tmp/' not in body and
	    b'^J' not in body and b'slowtop:' not in body, body)
	for query, words in (('filter=(', b'for filter: missing'), ('sort=x', b'for sort ('), ('thread=x', b'first.trace: no thread'),
	    ('view=calls', b'name them with method or calls<')):
		body = s.get('/t/%s/report.json?%s' % (id_a, query))[1].split(b'</style>')[-1]
		result('errors have no options of the command line: ' + query, words in body and b'--' not in body and b'^J' not in
		    body and b'Try' not in body, body)
	for words in ('No space left on device', 'Cannot allocate memory', 'No such file or directory', 'Too many open files'):
		status = s.get('/t/%s/report.json?thread=%s' % (id_a, urllib.parse.quote(words)))[0]
		result('no status follows from words of a query: ' + words, status == 400, status)
	body, headers = form([('trace', ('x', a)), ('trace', ('y', b))])
	status, body, _ = s.ask('POST', '/upload', body, headers)
	result('two traces in a form: 400', status == 400 and b'one trace' in body, (status, body))
	wanted = 'e.gz: decompressed it is more than 200 times as large; no trace is like that<'
	status, body, _ = s.ask('PUT', '/upload/e.gz', gzip.compress(bytes(200 << 20), 1))
	result('a message is cut where it names an option', status == 415 and wanted.encode() in body, (status, body))
	status, body, _ = s.ask('PUT', '/upload/x', a, {'Content-Range': 'bytes 0-9/99'})
	result('a part of a trace: 400', status == 400 and b'Content-Range' in body, (status, body))
	for method, path, allow in (('POST', '/', 'GET, HEAD'), ('PUT', '/t/' + id_a, 'GET, HEAD, DELETE'), ('GET', '/upload', 'POST'),
	    ('GET', '/upload/x', 'PUT'), ('DELETE', '/t/%s/raw' % id_a, 'GET, HEAD')):
		status, _, headers = s.ask(method, path)
		result('405 says what is allowed: %s %s' % (method, path[:8]), status == 405 and headers['Allow'] == allow, headers)
	headers = s.get('/t/%s/raw' % id_b)[2]
	result('the file keeps its name', "filename*=UTF-8''%3Cscript" in headers['Content-Disposition'], headers)
	c = socket.create_connection(('127.0.0.1', s.port))
	c.sendall(b'G\x1b[31m /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
	c.recv(100)
	c.close()
	result('the log has addresses and bytes; methods are escaped', wait_for(lambda: re.search(
	    r'Z 127\.0\.0\.1 PUT /upload/first\.trace 201 %d \d+ \d+ ms\n' % len(a), s.said())) and
	    wait_for(lambda: '^[[31m' in s.said()) and '\x1b' not in s.said(), s.said()[-1000:])


def ci():
	script = os.path.abspath(os.environ.get('SRCDIR', '.')) + '/contrib/ci/compare'
	if shutil.which('curl') is None:
		print('# no curl')
		return
	os.mkdir(tmp + '/ci')
	env = dict(os.environ, SLOWTOP=slowtop, SLOWTOP_URL=s.address.rstrip('/'))
	done = subprocess.run([script, tmp + '/a', tmp + '/b'], cwd=tmp + '/ci', env=env, capture_output=True)
	with open(tmp + '/ci/comment.md') as f:
		text = f.read()
	result('contrib/ci: a comment with links', done.returncode == 0 and 'cannot tell' in text and
	    '/d/%s..%s' % (id_a, id_b) in text, (done, text))


def is_ended(c):
	c.setblocking(False)
	try:
		c.send(b'E')
		return c.recv(1) == b''
	except BlockingIOError:
		return False
	except OSError:
		return True


def refusals():
	before = files(folder)
	for path in ('/t/../../etc/passwd', '/t/%2e%2e/%2e%2e/etc/passwd', '//etc/passwd', '/t/' + id_a + '%00/x',
	    '/t/' + id_a + '0', '/t/' + 'g' * 32, '/t/' + id_a[:31], '/t/' + id_a + '/../lock', '/lock', '/cache',
	    '/d/' + id_a, '/d/' + id_a + '..' + '../' * 16, '/t/' + '0' * 32, '/t/' + id_a.upper() + 'X'):
		status, body, _ = s.get(path)
		result('no path of a client is one: ' + path, status in (400, 404) or
		    (status == 200 and '%00' in path), (status, body))
	status, _, _ = s.ask('PUT', '/upload/..%2f..%2fescaped', a[:-1])
	result('nor is a name', status in (201, 415) and not os.path.exists(tmp + '/escaped') and
	    not [f for f in files(tmp) if 'escaped' in f], status)
	for host in ('evil.example', 'localhost.evil.example', '', '127.0.0.1.evil.example:80'):
		result('other host: 421 (%s)' % host, s.ask('GET', '/', host=host)[0] == 421)
	for host in ('[::1]evil', '127.0.0.1evil', '[::1', 'localhost:80x', 'localhost:80:80'):
		status = s.ask('GET', '/', host=host)[0]
		result('no host: 400 or 421 (%s)' % host, status == (421 if host == '127.0.0.1evil' else 400), status)
	for host in ('localhost', 'evil.example'):
		result('two hosts: 400 (%s)' % host, s.ask('GET', '/', None, {'host': host}, host='localhost')[0] == 400)
	result('own host: 200', s.ask('GET', '/', host='LOCALHOST:%d' % s.port)[0] == 200)
	result('a token that is not needed', s.ask('DELETE', '/t/' + '0' * 32, None, {'Authorization': 'Bearer x'})[0] == 404)
	for method in ('TRACE', 'OPTIONS', 'PATCH', 'POST'):
		result('no ' + method, s.ask(method, '/', b'')[0] == 405)
	for path, host in (('/', None), ('/nothing', None), ('/t/' + id_a, None), ('/', 'evil'),
	    ('/t/%s/flame.svg' % id_a, None), ('/t/%s/raw' % id_a, None)):
		headers = s.ask('GET', path, host=host)[2]
		result('safe headers: %s %s' % (path[-10:], host), headers['X-Content-Type-Options'] == 'nosniff' and
		    headers['Referrer-Policy'] == 'same-origin' and "default-src 'none'" in
		    headers['Content-Security-Policy'] and 'Access-Control-Allow-Origin' not in headers, headers)
	for bytes_ in (b'\0' * 5000, b'GET / HTTP/9.9\r\n\r\n', b'GET ' + b'/' * 100000 + b' HTTP/1.1\r\n\r\n',
	    b'POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data\r\nContent-Length: 9\r\n\r\n123456789',
	    b'PUT /upload/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzzzz\r\n',
	    b'GET / HTTP/1.1\r\n' + b'X: y\r\n' * 20000 + b'\r\n'):
		c = socket.create_connection(('127.0.0.1', s.port), timeout=PATIENCE)
		try:
			c.sendall(bytes_)
			c.shutdown(socket.SHUT_WR)
			while c.recv(65536):
				pass
		except OSError:
			pass
		c.close()
	result('it lives after broken requests', s.get('/healthz')[1] == b'ok\n')
	slow = [socket.create_connection(('127.0.0.1', s.port), timeout=PATIENCE) for _ in range(100)]
	for c in slow:
		c.sendall(b'G')
	result('it answers beside slow clients', s.get('/healthz')[0] == 200)

	result('slow clients are ended, a byte now and then or not', wait_for(lambda: all([is_ended(c) for c in slow])))
	for c in slow:
		c.close()
	status, body, _ = s.ask('DELETE', '/t/' + id_b)
	left = [f for f in files(folder) if id_b in f]
	result('removed with all that was made of it', status == 200 and not left and
	    s.get('/t/' + id_b)[0] == 404, (status, left))
	log = s.said()
	result('a line for each request, without queries', ' GET /t/' in log and 'limit' not in log and
	    '\0' not in log and '\x1b' not in log, log[-2000:])


# What it did not make is not touched.
def folders():
	def kept(words, where, *files):
		os.makedirs(where + '/tmp', exist_ok=True)
		for name in files:
			with open(where + '/' + name, 'w') as f:
				f.write('mine')
		done = run('serve', '--listen=127.0.0.1:0', where)
		left = [name for name in files if os.path.exists(where + '/' + name)]
		result(words, done.returncode == 2 and len(left) == len(files) and (b'contains other files' in done.stderr or
		    b'is no folder' in done.stderr), (done, left))
	kept('a folder of somebody else is refused', tmp + '/theirs', 'notes', 'tmp/notes', 'lock')
	os.mkdir(tmp + '/linked')
	open(tmp + '/linked/slowtop-serve', 'w').close()
	os.symlink(tmp + '/theirs', tmp + '/linked/tmp')
	kept('a link in place of a folder is, too', tmp + '/linked', 'tmp/notes')
	own = Server(tmp + '/own')
	own.ask('PUT', '/upload/x', a)
	own.stop()
	left = id_of(b)
	others = ('notes', 'tmp/notes', 'cache/notes', 'tmp/part-dead', 'cache/' + left, left + '.line.bak', 'tmp/.slowtop.dead',
	    left + '.line', left + '.name')
	for name in others:
		open(tmp + '/own/' + name, 'w').close()
	own = Server(tmp + '/own', '--max-total=1')
	gone = wait_for(lambda: own.get('/t/' + id_a)[0] == 404)
	own.stop()
	left = files(tmp + '/own')
	result('in its own folder only what it made is removed', gone and set(left) == {'slowtop-serve', *others[:6]}, left)
	theirs = tmp + '/with traces'
	os.mkdir(theirs)
	for name, data in (('-one.trace', a), ('two', b), ('notes', b'mine'), ('empty.trace', b'')):
		with open(theirs + '/' + name, 'wb') as f:
			f.write(data)
	for again in ('', ', again'):
		own = Server(theirs)
		text = own.get('/')[1].decode().replace('<wbr>', '')
		result('a folder with traces: they are listed' + again, text.count('href="t/') == 2 and '-one.trace</a>' in text and
		    '2 traces of the folder' in own.said() and own.get('/t/%s/raw' % id_a)[1] == a and
		    b'<h1>two</h1>' in own.get('/t/' + id_of(b))[1], (text, own.said()))
		own.ask('DELETE', '/t/' + id_a)
		own.stop()
	result('and stay when they are removed from the list', set(os.listdir(theirs)) >= {'-one.trace', 'two', 'notes', 'empty.trace'} and
	    not os.listdir(theirs + '/tmp') and open(theirs + '/-one.trace', 'rb').read() == a, files(theirs))
	os.mkdir(tmp + '/none')
	open(tmp + '/none/notes', 'w').close()
	done = run('serve', '--listen=127.0.0.1:0', tmp + '/none')
	result('a folder without traces is refused, and as before', done.returncode == 2 and b'no traces' in done.stderr and
	    os.listdir(tmp + '/none') == ['notes'], (done, files(tmp + '/none')))
	done = run('serve', '--listen=127.0.0.1:%d' % s.port, tmp + '/second')
	result('a second server on a port: 2', done.returncode == 2 and b'cannot listen' in done.stderr, done)


def ends():
	second = run('serve', '--listen=127.0.0.1:0', folder)
	result('a second server of the folder: 2', second.returncode == 2 and b'another' in second.stderr, second)
	c = socket.create_connection(('127.0.0.1', s.port))
	c.sendall(b'PUT /upload/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n' + bytes(80000))
	there = wait_for(lambda: os.listdir(folder + '/tmp'))
	status = s.stop()
	c.close()
	result('SIGTERM in an upload: ends, nothing partial', there and status == 0 and
	    not os.listdir(folder + '/tmp'), (status, s.said()[-3000:]))
	other = Server(folder)
	kept = '"t/' + id_a in other.get('/')[1].decode()
	other.process.kill()
	other.process.wait()
	other.process.stdout.close()
	again = Server(folder)
	result('after SIGKILL all is there', kept and '"t/' + id_a in again.get('/')[1].decode())
	again.stop()


def tokens():
	refused = run('serve', '--listen=0.0.0.0:0', folder)
	result('others only with a token: 2', refused.returncode == 2 and b'token' in refused.stderr, refused)
	token = 'correct-horse-battery'
	with open(tmp + '/token', 'w') as f:
		f.write(token + '\n')
	other = Server(folder, '--token-file=' + tmp + '/token', '--max-total=%d' % len(b), '--host=traces.example')
	result('without token: 401', other.ask('PUT', '/upload/x', b)[0] == 401)
	wrong = {'Authorization': 'Bearer ' + token[:-1]}
	result('with part of it: 401', other.ask('PUT', '/upload/x', b, wrong)[0] == 401)
	result('removal: 401', other.ask('DELETE', '/t/' + id_a)[0] == 401)
	body, headers = form([('trace', ('x', b))])
	result('a form without: 401', other.ask('POST', '/upload', body, headers)[0] == 401)
	result('--host', other.ask('GET', '/', host='traces.example')[0] == 200)
	body, headers = form([('token', token), ('trace', ('x', b))])
	result('a form with it: 303', other.ask('POST', '/upload', body, headers)[0] == 303)
	result('the oldest goes beyond the total', other.get('/t/' + id_a)[0] == 404 and
	    other.get('/t/%s/raw' % id_b)[1] == b)
	status = other.stop(signal.SIGINT)
	result('it ends, and the log is without the token', status == 0 and token not in other.said(), other.said())
	other = Server(folder, '--token-file=' + tmp + '/token', '--read-token')
	basic = {'Authorization': 'Basic ' + base64.b64encode(b'anybody:' + token.encode()).decode()}
	bearer = {'Authorization': 'Bearer ' + token}
	status, _, headers = other.get('/t/' + id_b)
	result('--read-token: nothing without', status == 401 and headers['WWW-Authenticate'].startswith('Basic') and
	    other.get('/')[0] == 401 and other.get('/healthz')[0] == 200, headers)
	result('with it, as scripts and as browsers send it', [other.ask('GET', '/t/%s/raw' % id_b, None, h)[:2]
	    for h in (basic, bearer)] == [(200, b)] * 2)
	shutil.copy(tmp + '/token', tmp + '/token2')
	with open(tmp + '/token', 'w') as f:
		f.write('another-token-of-this \tbuild server\n\nand-one-more-token-here\n')
	other.process.send_signal(signal.SIGHUP)
	new = {'Authorization': 'Bearer and-one-more-token-here'}
	result('SIGHUP has tokens read again', wait_for(lambda: other.ask('GET', '/', None, new)[0] == 200) and
	    other.ask('GET', '/', None, bearer)[0] == 401)
	with open(tmp + '/token', 'w') as f:
		f.write('short\n')
	other.process.send_signal(signal.SIGHUP)
	result('unless they are bad', wait_for(lambda: 'at least 16' in other.said()) and
	    other.ask('GET', '/', None, new)[0] == 200, other.said())
	got = [other.ask('GET', '/', None, bearer)[0] for _ in range(20)]
	status, _, headers = other.ask('GET', '/', None, new)
	result('who guesses has to wait', set(got[:5]) == {401} and got[-1] == 429 and status == 429 and
	    headers['Retry-After'] == '60', (got, status))
	got = []
	for i in [2] * 12 + [*range(3, 83)] + [2, 100]:
		c = http.client.HTTPConnection('127.0.0.1', other.port, timeout=PATIENCE, source_address=('127.0.0.%d' % i, 0))
		c.request('GET', '/', headers=wrong if len(got) < 92 else new)
		got.append(c.getresponse().status)
		c.close()
	result('nor do eighty others make it forgotten', got[:10] == [401] * 10 and got[10:12] == [429] * 2 and
	    got[-2:] == [429, 200], got)
	other.stop()
	other = Server(folder, '--token-file=' + tmp + '/token2', listen='0.0.0.0:0')
	many = [socket.create_connection(('127.0.0.1', other.port), timeout=PATIENCE) for _ in range(32)]
	wait_for(lambda: len(os.listdir('/proc/%d/fd' % other.process.pid)) > 32 if sys.platform == 'linux' else True)
	c = socket.create_connection(('127.0.0.1', other.port), timeout=PATIENCE)
	more = is_ended(c) or wait_for(lambda: is_ended(c))
	c.close()
	c = socket.create_connection(('127.0.0.1', other.port), timeout=PATIENCE, source_address=('127.0.0.2', 0))
	c.sendall(b'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
	result('an address has 32 connections at most, others have theirs', more and c.recv(100).startswith(b'HTTP/1.1 200'))
	for x in (c, *many):
		x.close()
	other.stop()
	refused = run('serve', '--read-token', tmp + '/none')
	result('--read-token needs tokens: 2', refused.returncode == 2 and b'--token-file' in refused.stderr, refused)
	os.utime('%s/%s.trace' % (folder, id_b), (0, 1e9))
	other = Server(folder, '--max-age=30')
	result('what is old goes', wait_for(lambda: other.get('/t/' + id_b)[0] == 404))
	other.stop()


def proxied():
	nginx = shutil.which('nginx') or '/usr/sbin/nginx'
	if not os.path.exists(nginx):
		skipped('no nginx')
		return
	s = Server(tmp + '/proxied', '--host=traces.example')
	with socket.socket() as free:
		free.bind(('127.0.0.1', 0))
		port = free.getsockname()[1]
	with open(tmp + '/nginx.conf', 'w') as f:
		f.write('daemon off; pid %s/pid; error_log %s/errors; events {} http { access_log off; client_body_temp_path %s/body;'
		    ' proxy_temp_path %s/proxy; fastcgi_temp_path %s/f; uwsgi_temp_path %s/u; scgi_temp_path %s/s; server {'
		    ' listen 127.0.0.1:%d; location /deep/traces/ { proxy_pass http://127.0.0.1:%d/; proxy_set_header Host'
		    ' traces.example; proxy_request_buffering off; } } }' % (*(tmp,) * 7, port, s.port))
	proxy = subprocess.Popen([nginx, '-c', tmp + '/nginx.conf', '-e', tmp + '/errors'], stdin=subprocess.DEVNULL)
	direct, s.port = s.port, port

	def listens():
		try:
			socket.create_connection(('127.0.0.1', port)).close()
			return True
		except OSError:
			return False
	try:
		wait_for(listens)
		place = '/deep/traces/upload/x'
		status, body, headers = s.ask('PUT', place, a)
		page = leads(place, headers)
		text = s.get(page)[1].decode()
		links = re.findall('(?:href|action)="([^"#]*)"', text)
		wrong = [l for l in links if s.get(urllib.parse.urljoin(page, l))[0] not in (200, 400)]
		result('behind nginx at another path: every link leads somewhere', status == 201 and len(links) > 5 and not wrong and
		    s.get('/deep/traces/' + body.decode().strip().partition('//')[2].partition('/')[2])[0] == 200 and
		    'href="t/' in s.get('/deep/traces/')[1].decode(), (status, body, links, wrong))
	finally:
		proxy.terminate()
		proxy.wait()
		s.port = direct
		s.stop()


result('--listen is looked at', b'--listen takes' in run('serve', '--listen=nonsense', '.').stderr)
folder = tmp + '/traces'
s = Server(folder, '--max-upload=1M', '--job-time=100')
run_all(uploads, pages, links, twice, names, several, texts, ci, folders, refusals, ends, tokens, proxied)
