#! /usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# slowtop serve: what it answers, what it refuses, and how it ends.  The server chooses a free
# port and tells it; waits are for conditions.

import hashlib, http.client, os, random, re, shutil, signal, socket, struct, subprocess, sys, tempfile, threading, time, urllib.parse

build = os.environ.get('BUILDDIR', '.')
slowtop = os.path.abspath(os.environ.get('SLOWTOP', build + '/slowtop'))
gen = os.path.abspath(build + '/tests/gen/tracegen')
MARKUP = '<script>alert(1)</script>"&\u202e'
PATIENCE = 200  # seconds, for what takes a moment
count = failed = 0


def result(name, good, why=''):
	global count, failed
	count += 1
	print('%s %d - %s' % ('ok' if good else 'not ok', count, name))
	if not good:
		failed += 1
		print('# ' + repr(why)[:2000].replace('\n', ' '))
	sys.stdout.flush()


def wait_for(condition):
	end = time.monotonic() + PATIENCE
	while time.monotonic() < end:
		if condition():
			return True
		time.sleep(0.05)
	return False


class Server:
	def __init__(self, folder, *options, env=None, under=()):
		self.log = tempfile.TemporaryFile(dir=tmp)
		self.process = subprocess.Popen([*under, slowtop, 'serve', '--listen=127.0.0.1:0', *options, folder],
		    stdout=subprocess.PIPE, stderr=self.log, stdin=subprocess.DEVNULL, env=env)
		self.address = self.process.stdout.readline().decode().strip()
		self.port = int(self.address.rstrip('/').rpartition(':')[2] or 0)

	def ask(self, method, path, body=None, headers={}, host=None):
		c = http.client.HTTPConnection('127.0.0.1', self.port, timeout=PATIENCE)
		try:
			c.putrequest(method, path, skip_host=host is not None)
			if host is not None:
				c.putheader('Host', host)
			if body is not None and 'Transfer-Encoding' not in headers:
				c.putheader('Content-Length', str(len(body)))
			for key, value in headers.items():
				c.putheader(key, value)
			c.endheaders()
			if body is not None:
				try:
					c.send(body)
				except OSError:
					pass  # it has answered already
			r = c.getresponse()
			return r.status, r.read(), r.headers
		finally:
			c.close()

	def get(self, path):
		return self.ask('GET', path)

	def stop(self, how=signal.SIGTERM):
		self.process.send_signal(how)
		try:
			status = self.process.wait(PATIENCE)
		except subprocess.TimeoutExpired:
			self.process.kill()
			status = 'still there'
		self.process.stdout.close()
		return status

	def said(self):
		self.log.seek(0)
		return self.log.read().decode('utf-8', 'replace')


def run(*words):
	return subprocess.run([slowtop, *words], stdin=subprocess.DEVNULL, capture_output=True)


def form(fields):
	text = b''
	for name, value in fields:
		extra = b'; filename="%s"' % value[0].encode() if isinstance(value, tuple) else b''
		data = value[1] if isinstance(value, tuple) else value.encode()
		text += b'--XX\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n' % (
		    name.encode(), extra, data)
	return text + b'--XX--\r\n', {'Content-Type': 'multipart/form-data; boundary=XX'}


def files(folder):
	return sorted(os.path.relpath(os.path.join(d, f), folder)
	    for d, _, names in os.walk(folder) for f in names)


def trace(name, text):
	made = subprocess.run([gen, '-'], input=text.encode(), stdout=subprocess.PIPE, check=True)
	with open(tmp + '/' + name, 'wb') as f:
		f.write(made.stdout)
	return made.stdout


def leads(path, headers):
	return urllib.parse.urljoin('http://x' + path, headers['Location'])[len('http://x'):]


def uploads():
	global a, b, id_a, id_b
	a = trace('a', 'clock dual\nthread 1 main\nthread 2 <b>io\n0 1 > a.A\n1 1 > a.<i>B\n2 1 <\n'
	    '3 2 > c.D\n4 2 <\n9 1 <\n')
	b = trace('b', 'clock dual\nthread 1 main\n0 1 > a.A\n1000 1 > a.C\n90000 1 <\n99999 1 <\n')
	id_a, id_b = (hashlib.sha256(x).hexdigest()[:32] for x in (a, b))

	status, body, headers = s.ask('PUT', '/upload/first.trace', a)
	result('PUT: 201 and the address', status == 201 and leads('/upload/first.trace', headers) == '/t/' + id_a and
	    body.decode() == 't/%s\n' % id_a, (status, body))
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
	    '<script>' not in text and '\u202e' not in text and '&lt;script&gt;' in text, text)
	s.ask('PUT', '/upload/open', trace('open', 'clock dual\nthread 1 main\n0 1 > a.A\n5 1 > a.B\n'))
	s.ask('PUT', '/upload/cut', a[:-3])
	result('nothing in it is damaged, nor are calls that are open at the end', '<td>damaged' not in text and
	    s.get('/')[1].count(b'<td>damaged') == 1, text)
	text = s.get('/?q=first')[1].decode()
	result('search', '"t/' + id_a in text and '"t/' + id_b not in text, text)
	text = s.get('/?q=%22%3E%3Cscript%3E')[1].decode()
	result('what was searched for is escaped', '<script>' not in text, text)
	status, body, _ = s.get('/t/' + id_a)
	text = body.decode()
	result('a page with links', status == 200 and 'a.&lt;i&gt;B' in text and
	    'flame.svg?thread=2">&lt;b&gt;io' in text and '<b>io' not in text, text[:3000])
	status, body, _ = s.get('/t/' + id_b)
	result('names with markup are text', status == 200 and b'<script>alert' not in body, body[:2000])
	status, body, headers = s.get('/t/%s/raw' % id_a)
	result('the file', body == a and 'attachment' in headers['Content-Disposition'] and
	    headers['Content-Type'] == 'application/octet-stream', status)
	os.chdir(folder)  # where its reports are made: names of files are in them
	file_a, file_b = id_a + '.trace', id_b + '.trace'
	for path, words in (
	    ('/t/%s/report.json?view=methods&limit=1' % id_a,
		('report', '--format=json', '--view=methods', '--limit=1', file_a)),
	    ('/t/%s/report.csv?view=threads' % id_a, ('report', '--format=csv', '--view=threads', file_a)),
	    ('/t/%s/info.json' % id_a, ('info', '--format=json', file_a)),
	    ('/t/%s/flame.svg?thread=1' % id_a, ('flame', '--title=first.trace', '--thread=1', file_a)),
	    ('/d/%s..%s.json' % (id_a, id_b), ('diff', '--format=json', file_a, file_b)),
	    ('/d/%s..%s' % (id_a, id_b), ('diff', '--format=text', file_a, file_b))):
		status, body, _ = s.get(path)
		result('as the command line: ' + ' '.join(words[:2]), status == 200 and
		    body == run(*words).stdout, (status, body[:500]))
	os.chdir(start)
	status, body, _ = s.get('/d/%s..%s?fail-above=10%%25' % (id_a, id_b))
	result('slower than allowed: 409', status == 409 and b'A' in body, (status, body))
	status, _, _ = s.get('/d/%s..%s?fail-above=10%%25' % (id_b, id_a))
	result('not slower: 200', status == 200, status)
	result('the form: to the comparison', leads('/d', s.get('/d?a=%s&b=%s' % (id_a, id_b))[2]) ==
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
	result('contrib/ci: a comment with links', done.returncode == 1 and
	    '/d/%s..%s' % (id_a, id_b) in text, (done, text))


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
	result('own host: 200', s.ask('GET', '/', host='LOCALHOST:%d' % s.port)[0] == 200)
	result('a token that is not needed', s.ask('DELETE', '/t/' + '0' * 32, None, {'Authorization': 'Bearer x'})[0] == 404)
	for method in ('TRACE', 'OPTIONS', 'PATCH', 'POST'):
		result('no ' + method, s.ask(method, '/', b'')[0] == 405)
	for path, host in (('/', None), ('/nothing', None), ('/t/' + id_a, None), ('/', 'evil'),
	    ('/t/%s/flame.svg' % id_a, None), ('/t/%s/raw' % id_a, None)):
		headers = s.ask('GET', path, host=host)[2]
		result('safe headers: %s %s' % (path[-10:], host), headers['X-Content-Type-Options'] == 'nosniff' and
		    headers['Referrer-Policy'] == 'no-referrer' and "default-src 'none'" in
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

	def is_ended(c):
		c.setblocking(False)
		try:
			c.send(b'E')
			return c.recv(1) == b''
		except BlockingIOError:
			return False
		except OSError:
			return True
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
	os.utime('%s/%s.trace' % (folder, id_b), (0, 1e9))
	other = Server(folder, '--max-age=30')
	result('what is old goes', wait_for(lambda: other.get('/t/' + id_b)[0] == 404))
	other.stop()


class Hostile(threading.Thread):
	"""Requests of all bad kinds, until told to end."""

	def __init__(self, server, seed, end):
		super().__init__()
		self.server, self.rng, self.end, self.made, self.wrong = server, random.Random(seed), end, 0, []

	def run(self):
		kinds = (self.slow, self.huge, self.broken, self.mutated, self.tricks, self.markup, self.noise,
		    self.queries, self.aborted, self.pipelined)
		while time.monotonic() < self.end and not self.wrong:
			try:
				self.rng.choice(kinds)()
			except (OSError, http.client.HTTPException):
				pass  # it may refuse, and it may hang up
			self.made += 1

	def raw(self, bytes_, wait=5.0):
		c = socket.create_connection(('127.0.0.1', self.server.port), timeout=wait)
		try:
			c.sendall(bytes_)
			return c.recv(65536)
		finally:
			if self.rng.random() < .5:  # a reset
				c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
			c.close()

	def head(self, line, more=b''):
		return line + b' HTTP/1.1\r\nHost: localhost\r\n' + more + b'\r\n'

	def slow(self):
		c = socket.create_connection(('127.0.0.1', self.server.port), timeout=5)
		for byte in self.head(b'GET /healthz'):
			c.send(bytes([byte]))
			time.sleep(self.rng.choice((.001, .05)))
			if self.rng.random() < .02 or time.monotonic() > self.end:
				break
		c.close()

	def huge(self):
		size = self.rng.choice((2 << 20, 1 << 40, (1 << 64) - 1, 1 << 64, -1))
		self.raw(self.rng.choice((
		    self.head(b'PUT /upload/x', b'Content-Length: %d\r\n' % size) + bytes(2 << 20),
		    self.head(b'PUT /upload/x', b'Transfer-Encoding: chunked\r\n') + b'fffffff\r\n' + bytes(2 << 20),
		    self.head(b'GET /' + b'x' * 200000), self.head(b'GET /', b'A: ' + b'x' * 200000 + b'\r\n'),
		    self.head(b'GET /', b'A: x\r\n' * 20000), self.head(b'GET /?q=' + b'%3c' * 9000))))

	def broken(self):
		self.raw(self.rng.choice((self.rng.randbytes(self.rng.randrange(5000)), b'\r\n' * 5000, b'GET\r\n\r\n',
		    b'GET / HTTP/1.1\r\n\r\n', b'GET http://localhost/ HTTP/1.1\r\nHost: a\r\nHost: localhost\r\n\r\n',
		    self.head(b'PUT /upload/x', b'Content-Length: 5\r\nContent-Length: 6\r\n') + b'123456',
		    self.head(b'PUT /upload/x', b'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n') + b'0\r\n\r\n',
		    self.head(b'PUT /upload/x', b'Expect: 100-continue\r\nContent-Length: 9\r\n'),
		    self.head(b'POST /upload', b'Content-Type: multipart/form-data; boundary=\r\nContent-Length: 4\r\n') + b'----')), 1)

	def mutated(self):
		body, headers = form([('token', 'x'), ('trace', ('n', a))])
		text = bytearray(self.rng.choice((
		    self.head(b'POST /upload', b'Content-Type: %s\r\nContent-Length: %d\r\n' %
			(headers['Content-Type'].encode(), len(body))) + body,
		    self.head(b'PUT /upload/x', b'Content-Length: %d\r\n' % len(a)) + a,
		    self.head(b'GET /t/%s/flame.svg?thread=1&clock=wall' % id_a.encode()))))
		for _ in range(self.rng.choice((1, 3, 30))):
			text[self.rng.randrange(len(text))] = self.rng.randrange(256)
		self.raw(bytes(text[:self.rng.randrange(len(text))] if self.rng.random() < .3 else text), 1)

	def tricks(self):
		path = self.rng.choice(('/t/', '/d/', '/', '/upload/', '/t/' + id_a + '/')) + self.rng.choice((
		    '../' * 9 + 'etc/passwd', '%2e%2e%2f' * 9 + 'etc/passwd', '..%5c..%5cx', '%00', id_a + '/../../lock',
		    '//etc/passwd', '.' * 3000, id_a + '..' + id_a + '..' + id_a, '%', '%zz', 'raw%00.txt', 'cache/' + id_a))
		answer = self.raw(self.head(b'GET ' + path.encode()), 60)
		if b'root:' in answer:
			self.wrong.append((path, answer))

	def markup(self):
		name = self.rng.choice((MARKUP, '"><img src=x onerror=alert(1)>', "' onload='x", '</title><script>', '\x1b[31m',
		    '{"a":"</script>"}', '\u202e' * 99, 'x' * 3000, '%s%n', '<!--', '../../x', '-o')).replace('"', '')
		body, headers = form([('trace', (name, a + self.rng.randbytes(8)))])
		self.server.ask('POST', '/upload', body, headers)
		text = self.server.get('/?q=' + self.rng.choice(('', '%3Cscript%3E', '%22%3E%3Cimg', '%00', '%ff%fe')))[1]
		if b'<script>' in text or b'<img' in text or b'\x1b' in text:
			self.wrong.append((name, text))

	def noise(self):
		data = bytearray(self.rng.choice((a, b, big)))
		for _ in range(self.rng.choice((1, 10, 100))):
			data[self.rng.randrange(len(data))] = self.rng.randrange(256)
		status, _, headers = self.server.ask('PUT', '/upload/noise', bytes(data))
		if status in (200, 201):
			for form_ in ('', '/flame.svg', '/report.json', '/raw'):
				self.server.get(leads('/upload/noise', headers) + form_)
		elif status not in (415, 503, 507):
			self.wrong.append((status, bytes(data)))

	def queries(self):
		path = '/t/%s/%s?%s' % (id_big, self.rng.choice(('report.json', 'report.csv', 'flame.svg', '')), self.rng.choice((
		    'filter=' + '(a*)*' * 9 + 'b', 'limit=' + '9' * 30, 'limit=%d' % self.rng.randrange(1000), 'from=-1',
		    'from=0.%d' % self.rng.randrange(99), 'thread=' + '9' * 30, 'sort=' + 'x' * 5000, '&' * 9000,
		    '&'.join('limit=%d' % i for i in range(40)), 'view=calls&method=a', 'output=/etc/passwd', 'title=x')))
		status = self.server.get(path)[0]
		if status not in (200, 400, 404, 500, 503):
			self.wrong.append((path, status))

	def aborted(self):
		if self.rng.random() < .5:  # an upload, or an answer that nobody takes
			self.raw(self.head(b'PUT /upload/x', b'Content-Length: 900000\r\n') + bytes(self.rng.randrange(200000)), .1)
		else:
			self.raw(self.head(b'GET /t/%s/raw' % id_big.encode()), 60)

	def pipelined(self):
		self.raw(self.head(b'GET /healthz') * 50 + self.head(b'HEAD /') + self.head(b'DELETE /t/' + b'0' * 32), 60)


def resident(pid):
	with open('/proc/%d/status' % pid) as f:
		return int(f.read().partition('VmRSS:')[2].split()[0]) >> 10


def hostile(seconds):
	global big, id_big
	big = subprocess.run([gen, '--format=streaming', '--records=20000', '--threads=4'], stdout=subprocess.PIPE,
	    check=True).stdout
	id_big = hashlib.sha256(big).hexdigest()[:32]
	env = dict(os.environ, ASAN_OPTIONS='quarantine_size_mb=8:' + os.environ.get('ASAN_OPTIONS', ''))
	s = Server(tmp + '/hostile', '--max-upload=1M', '--max-total=20M', '--job-time=20', env=env)
	for data in (a, b, big):
		s.ask('PUT', '/upload/x', data)
	s.get('/t/' + id_big)
	end = time.monotonic() + seconds
	before = most = resident(s.process.pid)
	others = [Hostile(s, i, end) for i in range(8)]
	for other in others:
		other.start()
	while s.process.poll() is None and any(o.is_alive() for o in others):
		most = max(most, resident(s.process.pid))
		time.sleep(.5)
	if s.process.poll() is not None:
		for other in others:
			other.end = 0
	for other in others:
		other.join()
	if s.process.poll() is not None:
		result('it lives after %.0f s of hostile requests' % (seconds - end + time.monotonic()), False,
		    (s.process.returncode, s.said()[-1500:]))
		return
	wrong = [o.wrong for o in others if o.wrong]
	result('%d hostile requests: none has what it must not' % sum(o.made for o in others), not wrong, wrong)
	s.ask('PUT', '/upload/x', big)  # it may have gone beyond the total
	took = 99
	for _ in range(20):
		begin = time.monotonic()
		status = s.get('/t/' + id_big)[0]
		took = min(took, time.monotonic() - begin) if status == 200 else took
	result('a page within 50 ms afterwards, or 500 with sanitizers', took < (.5 if b'asan' in open(slowtop, 'rb').read()
	    else .05), took)
	print('# a page took %.1f ms; %d MB of memory, at most %d, before %d' % (took * 1e3, resident(s.process.pid), most, before))
	result('memory is bounded', most < before + 100, (before, most))
	status = s.stop()
	log = s.said()
	result('it ends, and nothing partial is left', status == 0 and not os.listdir(tmp + '/hostile/tmp') and
	    'Sanitizer' not in log and 'runtime error' not in log, (status, log[-5000:]))


def children(pid):
	found = []
	for task in os.listdir('/proc/%d/task' % pid):
		try:
			with open('/proc/%d/task/%s/children' % (pid, task)) as f:
				found += [int(x) for x in f.read().split()]
		except FileNotFoundError:
			pass  # the thread has ended
	return found


# What harms a job harms nothing else; a large upload takes no memory; the end waits for nobody.
def large():
	made = subprocess.run([gen, '--format=streaming', '--records=1500000'], stdout=subprocess.PIPE, check=True).stdout
	id_ = hashlib.sha256(made).hexdigest()[:32]
	s = Server(tmp + '/large', '--max-upload=64M', '--job-time=4')
	s.get('/')
	before = most = resident(s.process.pid)
	c = socket.create_connection(('127.0.0.1', s.port))
	c.sendall(b'PUT /upload/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n' % len(made))
	for at in range(0, len(made), 1 << 20):
		c.sendall(made[at:at + (1 << 20)])
		most = max(most, resident(s.process.pid))
	status = int(c.recv(65536).split()[1])
	c.close()
	result('an upload of %d MB takes %d MB of memory' % (len(made) >> 20, most - before), status == 201 and
	    most - before <= 1 + 7 * (b'asan' in open(slowtop, 'rb').read()), (status, before, most))
	for how, words in ((signal.SIGKILL, b'too long or too much memory'), (signal.SIGSTOP, b'too long or too much memory')):
		got = []
		t = threading.Thread(target=lambda: got.append(s.get('/t/%s/report.json?view=calls&method=.&limit=%d' % (id_, how))))
		t.start()
		job = []
		while t.is_alive() and not job:
			job = children(s.process.pid)
		os.kill(job[0], how)
		t.join()
		result('a job that gets %s: a page says so' % how.name, got[0][0] == 500 and words in got[0][1], got)
	result('and the next request works', s.get('/t/%s/flame.svg' % id_)[0] == 200)
	c = socket.create_connection(('127.0.0.1', s.port))  # takes an answer too slowly
	c.sendall(b'GET /t/%s/raw HTTP/1.1\r\nHost: localhost\r\n\r\n' % id_.encode())
	t = threading.Thread(target=lambda: s.ask('GET', '/t/%s/report.json' % id_))
	t.start()
	time.sleep(.1)
	begin, left = time.monotonic(), children(s.process.pid)
	status = s.stop()
	took = time.monotonic() - begin
	t.join()
	c.close()
	result('SIGTERM in a job and a slow answer: it ends in %.0f s' % took, status == 0 and took < 12 and
	    not [x for x in left if os.path.exists('/proc/%d' % x)], (status, took))


def traced():
	if (not shutil.which('strace') or b'asan' in open(slowtop, 'rb').read() or  # which fails under strace
	    run_quiet('strace', '-o', tmp + '/trace', 'true') != 0):
		print('# no strace')
		return
	s = Server(tmp + '/traced', under=('strace', '-f', '-qq', '-s', '300', '-e', 'trace=execve,openat,open', '-e',
	    'signal=none', '-o', tmp + '/trace'))
	s.ask('PUT', '/upload/x', big)
	done = []
	threads = [threading.Thread(target=lambda: done.append(s.get('/t/%s/report.json?limit=9' % id_big)[0]))
	    for _ in range(100)]
	for t in threads:
		t.start()
	for t in threads:
		t.join()
	hostile_ = Hostile(s, 1, 0)
	for _ in range(60):
		try:
			hostile_.tricks()
		except OSError:
			pass
	os.kill(children(s.process.pid)[0], signal.SIGTERM)
	s.process.wait()
	s.process.stdout.close()
	with open(tmp + '/trace', errors='replace') as f:
		calls = f.readlines()
	jobs = [c for c in calls if 'execve(' in c and '--limit=9' in c]
	result('a hundred requests for one report: one job', len(jobs) == 1 and done.count(200) > 0 and
	    done.count(200) + done.count(503) == 100, (len(jobs), done))
	opened = [c for c in calls if 'open' in c and ('../' in c or 'passwd' in c or id_big + '/' in c)]
	result('no path of a client is opened', not hostile_.wrong and not opened, (hostile_.wrong, opened[:5]))


def run_quiet(*words):
	return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True).returncode


def full():
	os.mkdir(tmp + '/small')
	if os.geteuid() != 0 or run_quiet('mount', '-t', 'tmpfs', '-o', 'size=256k', 'small', tmp + '/small') != 0:
		print('# no small disk')
		return
	try:
		s = Server(tmp + '/small')
		status = s.ask('PUT', '/upload/x', a)[0], s.ask('PUT', '/upload/x', big)[0]
		chunk = b'%x\r\n' % (2 << 20) + bytes(2 << 20) + b'\r\n0\r\n\r\n'
		status += s.ask('PUT', '/upload/x', chunk, {'Transfer-Encoding': 'chunked'})[0],
		result('a full disk: 507, what is there stays', status == (201, 507, 507) and
		    s.get('/t/%s/raw' % id_a)[1] == a and wait_for(lambda: not os.listdir(tmp + '/small/tmp')),
		    (status, files(tmp + '/small')))
		s.stop()
	finally:
		run_quiet('umount', tmp + '/small')


def proxied():
	nginx = shutil.which('nginx') or '/usr/sbin/nginx'
	if not os.path.exists(nginx):
		print('# no nginx')
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
		    s.get('/deep/traces/' + body.decode().strip())[0] == 200 and
		    'href="t/' in s.get('/deep/traces/')[1].decode(), (status, body, links, wrong))
	finally:
		proxy.terminate()
		proxy.wait()
		s.port = direct
		s.stop()


start = os.getcwd()
without = run('serve', '--listen=nonsense', '.').stderr
if b'libmicrohttpd' in without or not os.path.exists(gen):
	print('1..0 # SKIP built without libmicrohttpd')
	sys.exit(0)
try:
	with socket.socket() as probe:
		probe.bind(('127.0.0.1', 0))
except OSError:
	print('1..0 # SKIP no loopback interface')
	sys.exit(0)
tmp = tempfile.mkdtemp(prefix='t-serve.', dir=os.path.abspath(build))
folder = tmp + '/traces'
s = None
try:
	result('--listen is looked at', b'--listen takes' in without, without)
	s = Server(folder, '--max-upload=1M', '--job-time=100')
	uploads()
	pages()
	ci()
	refusals()
	ends()
	tokens()
	large()
	hostile(float(os.environ.get('SERVE_SECONDS', 4)))
	traced()
	full()
	proxied()
finally:
	if s is not None and s.process.poll() is None:
		s.process.kill()
		s.process.wait()
	shutil.rmtree(tmp, ignore_errors=True)
print('1..%d' % count)
sys.exit(failed != 0)
