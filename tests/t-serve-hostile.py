#! /usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# slowtop serve: against bad clients, bad jobs and a full disk.  With SERVE_SECONDS=2400 it is a
# stress test: build it with --enable-sanitizers or -fsanitize=thread first.

import http.client, os, random, select, shutil, signal, socket, struct, subprocess, sys, tempfile, threading, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from served import *


def small_traces():
	global a, b, big, id_a, id_big
	a = trace('a', 'clock dual\nthread 1 main\nthread 2 io\n0 1 > a.A\n1 1 > a.B\n2 1 <\n3 2 > c.D\n4 2 <\n9 1 <\n')
	b = trace('b', 'clock dual\nthread 1 main\n0 1 > a.A\n1000 1 > a.C\n90000 1 <\n99999 1 <\n')
	big = subprocess.run([gen, '--format=streaming', '--records=20000', '--threads=4'], stdout=subprocess.PIPE,
	    check=True).stdout
	id_a, id_big = id_of(a), id_of(big)


class Hostile(threading.Thread):
	"""Requests of all bad kinds, until told to end."""

	def __init__(self, server, seed, end):
		super().__init__()
		self.server, self.rng, self.end, self.made, self.wrong = server, random.Random(seed), end, 0, []

	def run(self):
		kinds = (self.slow, self.huge, self.broken, self.mutated, self.tricks, self.markup, self.noise,
		    self.queries, self.aborted, self.pipelined, self.shared, self.shared)
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

	def shared(self):
		"""What others ask at the same time, too; the client may leave."""
		n = int(time.monotonic() * 4)
		method, path, body, good = self.rng.choice((
		    ('GET', '/t/%s/report.json?limit=%d' % (id_big, n), None, (200,)),
		    ('GET', '/d/%s..%s?gate=point&fail-above=10%%25&limit=%d' % (id_a, id_of(b), n), None, (409,)),
		    ('GET', '/t/%s?from=0.%d' % (id_big, n), None, (200, 400)), ('GET', '/', None, (200,)),
		    ('PUT', '/upload/b', b, (200, 201)), ('DELETE', '/t/' + id_of(b), None, (200,))))
		if self.rng.random() < .3:
			self.raw(self.head(('%s %s' % (method, path)).encode(), b'Content-Length: %d\r\n' % len(body or b'')) +
			    (body or b''), self.rng.choice((.001, .05)))
			return
		status, text, _ = self.server.ask(method, path, body)
		if status not in (*good, 404, 503):
			self.wrong.append((method, path, status, text[-800:]))

	def pipelined(self):
		self.raw(self.head(b'GET /healthz') * 50 + self.head(b'HEAD /') + self.head(b'DELETE /t/' + b'0' * 32), 60)


def hostile(seconds):
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
	result('a page within 50 ms afterwards, or 500 with sanitizers', took < (.5 if sanitized
	    else .05), took)
	print('# a page took %.1f ms; %d MB of memory, at most %d, before %d' % (took * 1e3, resident(s.process.pid), most, before))
	result('memory is bounded', most < before + 100, (before, most))
	status = s.stop()
	log = s.said()
	result('it ends, and nothing partial is left', status == 0 and not os.listdir(tmp + '/hostile/tmp') and
	    'Sanitizer' not in log, (status, log[-5000:]))


# What harms a job harms nothing else; a large upload takes no memory; the end waits for nobody.
def large():
	made = subprocess.run([gen, '--format=streaming', '--records=1500000'], stdout=subprocess.PIPE, check=True).stdout
	id_ = id_of(made)
	s = Server(tmp + '/large', '--max-upload=64M', '--job-time=%d' % (20 if sanitized else 4))
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
	    most - before <= 1 + 7 * (sanitized), (status, before, most))
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


def is_running(pid, word):
	try:
		with open('/proc/%d/cmdline' % pid, 'rb') as f:
			return word.encode() in f.read()
	except OSError:
		return False


def stopped(server, path):
	"""Asks for something; its job is stopped, so that it ends only when it is ended."""
	for more in range(1000):
		word = 'limit=%d' % random.randrange(1 << 30)
		c = socket.create_connection(('127.0.0.1', server.port))
		c.sendall(b'GET %s?%s HTTP/1.1\r\nHost: localhost\r\n\r\n' % (path.encode(), word.encode()))
		while not select.select([c], [], [], 0)[0]:
			for job in children(server.process.pid):
				if is_running(job, word):
					os.kill(job, signal.SIGSTOP)
					return c, job, '%s?%s' % (path, word)
		c.close()  # it was made before that was seen


def is_gone(pid):
	try:
		with open('/proc/%d/stat' % pid) as f:
			return f.read().rpartition(')')[2].split()[0] == 'Z'
	except OSError:
		return True


def clients_leave():
	if sys.platform != 'linux':
		return
	made = subprocess.run([gen, '--format=streaming', '--records=1000000'], stdout=subprocess.PIPE, check=True).stdout
	s = Server(tmp + '/leave', '--max-upload=64M', '--job-time=%d' % (4 * PATIENCE))
	status, body, _ = s.ask('PUT', '/upload/x', made)
	result('a trace of a million records', status == 201, body)
	path = '/t/%s/report.json' % id_of(made)
	one, job, _ = stopped(s, path)
	two, second, _ = stopped(s, path)
	three = socket.create_connection(('127.0.0.1', s.port))  # waits for a place
	three.sendall(b'GET %s?limit=3 HTTP/1.1\r\nHost: localhost\r\n\r\n' % path.encode())
	result('reports that hang leave a place for uploads', s.ask('PUT', '/upload/y', a)[0] == 201)
	more = []
	for i in range(40):
		c = socket.create_connection(('127.0.0.1', s.port), timeout=PATIENCE)
		c.sendall(b'GET %s?limit=%d HTTP/1.1\r\nHost: localhost\r\n\r\n' % (path.encode(), 100 + i))
		more.append(c)
	refused = wait_for(lambda: len(select.select(more, [], [], 0)[0]) >= 15)
	c = socket.create_connection(('127.0.0.1', s.port), timeout=PATIENCE, source_address=('127.0.0.2', 0))
	c.sendall(b'GET %s?limit=5 HTTP/1.1\r\nHost: localhost\r\n\r\n' % path.encode())
	result('an address leaves places for others', refused and c.recv(100).startswith(b'HTTP/1.1 200'))
	for c in (one, two, three, c, *more):
		c.close()
	result('a job whose client has left is ended', wait_for(lambda: is_gone(job) and is_gone(second)))
	result('and its place is free', s.get(path + '?limit=4')[0] == 200)
	c, job, same = stopped(s, path)
	d = socket.create_connection(('127.0.0.1', s.port))
	d.sendall(b'GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n' % same.encode())
	time.sleep(.5)
	c.close()
	time.sleep(1)
	os.kill(job, signal.SIGCONT)
	d.settimeout(PATIENCE)
	result('but not one that another waits for', d.recv(100).startswith(b'HTTP/1.1 200'))
	d.close()
	c, job, _ = stopped(s, path)
	removed = s.ask('DELETE', '/t/' + id_of(made))[0]
	os.kill(job, signal.SIGCONT)
	c.settimeout(PATIENCE)
	status, kept = c.recv(100), [f for f in files(tmp + '/leave/cache') if f.startswith(id_of(made))]
	result('a report of a trace that was removed meanwhile: 404, not kept', removed == 200 and
	    status.startswith(b'HTTP/1.1 404') and not kept, (removed, status, kept))
	c.close()
	s.ask('PUT', '/upload/x', made)
	c, job, _ = stopped(s, path)
	s.process.kill()
	s.process.wait()
	result('jobs end with the server, however that ends', wait_for(lambda: is_gone(job)))
	c.close()


# Larger than uploads may be, or than the disk can take, is said to be that.
def unpacked():
	if sanitized:
		return
	s = Server(tmp + '/unpacked')
	# Records are as large as they may be: it is the bytes that count.
	made = subprocess.run('"%s" --format=classic --record-size=64 --records=4700000 | gzip -1' % gen, shell=True,
	    stdout=subprocess.PIPE, check=True).stdout
	status, body, _ = s.ask('PUT', '/upload/x.gz', made)
	result('gzip of a trace of 300 MB', status == 201, (len(made), status, body))
	s.stop()
	s = Server(tmp + '/unpacked2', '--max-upload=200M')
	status, body, _ = s.ask('PUT', '/upload/x.gz', made)
	result('beyond the limit: that is said', status == 507 and b'x.gz: ' in body and b'disk' in body, (status, body))
	s.stop()


# The limit of the server is that of what it starts, too.
def short_of_memory():
	if sanitized or sys.platform != 'linux':
		return
	made = subprocess.run([gen, '--format=streaming', '--records=1500000'], stdout=subprocess.PIPE, check=True).stdout
	s = Server(tmp + '/memory')
	s.ask('PUT', '/upload/x', made)
	s.stop()
	s = Server(tmp + '/memory', under=('sh', '-c', 'ulimit -d 16000; exec "$@"', 'sh'))
	status, body, _ = s.get('/t/%s/report.json' % id_of(made))
	result('out of memory: 500 and the reason', status == 500 and b'memory' in body, (status, body))
	status, body, _ = s.ask('PUT', '/upload/y', made + made[-1:])
	result('and of an upload: 413', status == 413 and b'y: to read it takes' in body, (status, body))
	s.stop()


def descriptors(pid):
	return len(os.listdir('/proc/%d/fd' % pid))


# Requests of each kind, and what may be answered when something is missing.
def kinds():
	new = subprocess.run([gen, '--records=%d' % random.randrange(10, 9999)], stdout=subprocess.PIPE, check=True).stdout
	body, headers = form([('trace', ('x', new))])
	some = '?limit=%d' % random.randrange(1 << 30)
	yield ('GET', '/'), (200,)
	yield ('GET', '/t/%s/report.json%s' % (id_a, some)), (200,)
	yield ('GET', '/t/%s/raw' % id_a), (200,)
	yield ('GET', '/t/%s?from=0.00%d' % (id_a, random.randrange(10 ** 6, 10 ** 7))), (200, 400)
	yield ('GET', '/d/%s..%s%s&gate=point&fail-above=10%%25' % (id_a, id_of(b), some)), (409,)
	yield ('PUT', '/upload/x', new), (201,)
	yield ('POST', '/upload', body, headers), (303,)
	yield ('DELETE', '/t/' + id_of(new)), (200,)


def complete(folder):
	"""Nothing is there in part."""
	there = {name.partition('.')[0] for name in os.listdir(folder) if len(name) > 32}
	return not os.listdir(folder + '/tmp') and all(os.path.exists('%s/%s.%s' % (folder, x, end))
	    for x in there for end in ('trace', 'line', 'name'))


def short_of_files():
	try:
		import resource
		resource.prlimit
	except (ImportError, AttributeError):
		return
	s = Server(tmp + '/files')
	for data in (a, b):
		s.ask('PUT', '/upload/x', data)
	wait_for(lambda: s.get('/healthz')[0] == 200)
	before = None
	limits = resource.prlimit(s.process.pid, resource.RLIMIT_NOFILE)
	wrong = []
	for more in range(12):
		for words, good in kinds():
			wait_for(lambda: before is None or descriptors(s.process.pid) <= before)
			before = descriptors(s.process.pid)
			resource.prlimit(s.process.pid, resource.RLIMIT_NOFILE, (before + more, limits[1]))
			done = []
			t = threading.Thread(target=lambda: done.append(s.ask(*words)))
			t.start()
			t.join(.5)  # without a descriptor for the connection it waits
			resource.prlimit(s.process.pid, resource.RLIMIT_NOFILE, limits)
			t.join()
			if not done or done[0][0] not in (*good, 404, 500, 503) or (done[0][0] == 404 and words[0] != 'DELETE'):
				wrong.append((more, words[:2], done))
	result('without files to open: 503, and never half an answer', not wrong and complete(tmp + '/files'),
	    (wrong, files(tmp + '/files')))
	got = [(words[:2], s.ask(*words)[0], good) for words, good in kinds()]
	result('and afterwards all is as before', all(status in good for _, status, good in got), got)
	s.stop()


def has_strace():  # sanitizers fail under it
	good = shutil.which('strace') and not sanitized and run_quiet('strace', '-o', tmp + '/trace', 'true') == 0
	if not good:
		print('# no strace')
	return good


def strace(server, *words):
	tracer = subprocess.Popen(['strace', '-f', '-qq', '-o', '/dev/null', '-p', str(server.process.pid), *words],
	    stderr=subprocess.DEVNULL)
	wait_for(lambda: 'TracerPid:\t0' not in open('/proc/%d/status' % server.process.pid).read())
	return tracer


# A report is written, but its process, which tells what it judged, has not ended yet.
def judging():
	if not has_strace():
		return
	s = Server(tmp + '/judging')
	for data in (a, b):
		s.ask('PUT', '/upload/x', data)
	gate = '/d/%s..%s?gate=point&fail-above=10%%25' % (id_a, id_of(b))
	tracer = strace(s, '-e', 'trace=exit_group', '-e', 'inject=exit_group:delay_enter=1500000')
	got = []
	threads = [threading.Thread(target=lambda: got.append(s.get(gate)[0])) for _ in range(2)]
	for t in threads:
		t.start()
		time.sleep(.7)
	for t in threads:
		t.join()
	result('a gate is not open before it has been judged', got == [409, 409], got)
	c = socket.create_connection(('127.0.0.1', s.port))
	c.sendall(b'GET %s&limit=1 HTTP/1.1\r\nHost: localhost\r\n\r\n' % gate.encode())
	time.sleep(.7)
	s.process.kill()
	tracer.wait()
	c.close()
	s.process.wait()
	s = Server(tmp + '/judging')
	result('nor after the server was ended meanwhile', s.get(gate + '&limit=1')[0] == 409)
	s.stop()


def failing(calls, error):
	if not has_strace():
		return
	wrong = []
	for call in calls:
		for nth in (1, 2, 4):
			where = '%s/%s-%s-%d' % (tmp, error, call, nth)
			s = Server(where)
			for data in (a, b):
				s.ask('PUT', '/upload/x', data)
			tracer = strace(s, '-e', 'trace=' + call, '-e', 'inject=%s:error=%s:when=%d' % (call, error, nth))
			for words, good in kinds():
				try:
					done = s.ask(*words)
				except (OSError, http.client.HTTPException):
					done = None, b'the connection was ended'
				if done[0] not in (None, *good, 400, 415, 500, 503, 507) and (done[0] != 404 or words[0] != 'DELETE'):
					wrong.append((call, nth, words[:2], done))
			tracer.terminate()
			tracer.wait()
			got = [(words[:2], s.ask(*words)[:2], good) for words, good in kinds()]
			wrong += [(call, nth, 'afterwards', x) for x in got if x[1][0] not in x[2]]
			if s.stop() != 0 or not complete(where):
				wrong.append((call, nth, files(where), s.said()))
	result('%s at calls of %s' % (error, ', '.join(calls)), not wrong, wrong[:3])


def traced():
	if not has_strace():
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


def cached():
	s = Server(tmp + '/cached', '--max-total=400K')
	s.ask('PUT', '/upload/x', a)
	for i in range(60):
		s.get('/t/%s/report.json?limit=%d' % (id_a, i))
	took = sum(os.stat('%s/cached/cache/%s' % (tmp, f)).st_blocks * 512 for f in os.listdir(tmp + '/cached/cache'))
	result('reports that are kept take a quarter of the total', 0 < took <= 104 << 10, took)
	s.stop()


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
		got = [s.get('/t/%s/report.json?view=calls&method=.&limit=%d' % (id_a, i))[0] for i in range(150)]
		result('reports do not fill it', set(got) <= {200, 503, 507} and 200 in got and s.ask('PUT', '/upload/x', b)[0] == 201,
		    (got, files(tmp + '/small')))
		open(tmp + '/small/filler', 'wb').write(bytes(180 << 10))
		status, body, _ = s.get('/t/%s/report.csv?limit=1' % id_a)
		result('a report without room: 507 and the reason', status == 507 and b'disk' in body, (status, body))
		s.stop()
	finally:
		run_quiet('umount', tmp + '/small')


small_traces()
run_all(large, clients_leave, unpacked, short_of_memory, short_of_files, cached, judging,
    lambda: failing(('write', 'fsync', 'rename', 'openat', 'mkdir', 'linkat'), 'ENOSPC'),
    lambda: failing(('openat', 'pipe', 'dup2', 'socket', 'accept4'), 'EMFILE'),
    lambda: hostile(float(os.environ.get('SERVE_SECONDS', 4))), traced, full)
