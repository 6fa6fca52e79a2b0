/** nginx for comparison: as a cache in front of a server, and serving a static file. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../test/support/free-port.ts'

/** Starts nginx with one worker. `cached` serves cache hits for the response of `origin`, `file` serves the body as a file. */
export async function startNginx(
  origin: string,
  body: Buffer,
): Promise<{ cached: string; file: string; pid: number | undefined; stop(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'pentad-nginx-'))
  const port = await freePort()
  writeFileSync(join(folder, 'page.html'), body)
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, origin))
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-g', 'daemon off;'], {
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  process.once('exit', () => child.kill('SIGTERM'))
  for (let tries = 0; !(await fetch(`${url}/file`).catch(() => undefined))?.ok; tries++) {
    if (tries > 50) throw new Error('nginx did not start')
    await wait(100)
  }
  await fetch(`${url}/cached`)
  const hit = await fetch(`${url}/cached`)
  if (hit.headers.get('x-cache-of-nginx') !== 'HIT') throw new Error('nginx did not cache the page')
  return {
    cached: `${url}/cached`,
    file: `${url}/file`,
    pid: child.pid,
    stop() {
      child.once('exit', () => rmSync(folder, { recursive: true, force: true }))
      child.kill('SIGTERM')
    },
  }
}

/**
 * The fastest configuration for this test: one read and one write per response; files stay open. `tcp_nopush` with `sendfile`,
 * often recommended, makes cache hits wait for the client's delayed ACK: a few hundred requests per second.
 */
function configuration(folder: string, port: number, origin: string): string {
  // A worker that runs as another user could not read the temporary folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `
${user}
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile off;
  output_buffers 2 256k;
  open_file_cache max=100 inactive=1h;
  open_file_cache_valid 1h;
  tcp_nodelay on;
  keepalive_requests 1000000;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  proxy_cache_path ${folder}/cache keys_zone=pages:10m;
  server {
    listen 127.0.0.1:${port};
    location /cached {
      proxy_pass ${origin}/;
      proxy_cache pages;
      proxy_cache_valid 200 1h;
      proxy_ignore_headers Cache-Control Expires Vary Set-Cookie;
      add_header X-Cache-Of-Nginx $upstream_cache_status;
    }
    location /file { default_type text/html; alias ${folder}/page.html; }
  }
}
`
}
