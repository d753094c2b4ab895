# SPDX-License-Identifier: Apache-2.0
"""A server of traces, started and asked; the server chooses a free port and tells it, and waits
are for conditions."""

import hashlib
import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

build = os.environ.get('BUILDDIR', '.')
slowtop = os.path.abspath(os.environ.get('SLOWTOP', build + '/slowtop'))
gen = os.path.abspath(build + '/tests/gen/tracegen')
sanitized = any(word in open(slowtop, 'rb').read() for word in (b'__asan_init', b'__tsan_init'))
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


def skipped(why):
	global count
	count += 1
	print('ok %d # SKIP %s' % (count, why))


def wait_for(condition, patience=PATIENCE):
	end = time.monotonic() + patience
	while time.monotonic() < end:
		if condition():
			return True
		time.sleep(0.05)
	return False


class Server:
	all = []

	def __init__(self, folder, *options, env=None, under=(), listen='127.0.0.1:0'):
		self.log = tempfile.TemporaryFile(dir=tmp)
		self.process = subprocess.Popen([*under, slowtop, 'serve', '--listen=' + listen, *options, folder],
		    stdout=subprocess.PIPE, stderr=self.log, stdin=subprocess.DEVNULL, env=env)
		self.address = self.process.stdout.readline().decode().strip()
		self.all.append(self)
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


def children(pid):
	found = []
	for task in os.listdir('/proc/%d/task' % pid):
		try:
			with open('/proc/%d/task/%s/children' % (pid, task)) as f:
				found += [int(x) for x in f.read().split()]
		except FileNotFoundError:
			pass  # the thread has ended
	return found


def resident(pid):
	with open('/proc/%d/status' % pid) as f:
		return int(f.read().partition('VmRSS:')[2].split()[0]) >> 10


def id_of(data):
	return hashlib.sha256(data).hexdigest()[:32]


def run_quiet(*words):
	return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True).returncode


def skip(why):
	print('1..0 # SKIP ' + why)
	sys.exit(0)


# Runs the test's parts in the folder `tmp`, and ends.
def run_all(*parts):
	try:
		for part in parts:
			part()
	finally:
		for server in Server.all:
			if server.process.poll() is None:
				server.process.kill()
				server.process.wait()
		shutil.rmtree(tmp, ignore_errors=True)
	if count == 0:
		result('something was checked', False)
	print('1..%d' % count)
	sys.exit(failed != 0)


if b'libmicrohttpd' in run('serve', '--listen=nonsense', '.').stderr:
	skip('built without libmicrohttpd')
try:
	with socket.socket() as probe:
		probe.bind(('127.0.0.1', 0))
except OSError:
	skip('no loopback interface')
tmp = tempfile.mkdtemp(prefix='t-serve.', dir=os.path.abspath(build))
