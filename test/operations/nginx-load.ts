/** A load balancer of two servers, and visitors of it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { createFrontServer } from '../speed/front-server.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/guides/deployment.md'), 'utf8')
const CLIENTS = 4

/** nginx with the guide's `upstream`. */
export function createNginx(port: number, ports: readonly number[]) {
  const folder = temporaryFolder()
  const [, upstream = ''] = /```nginx\n(upstream [\s\S]*?)```/.exec(GUIDE) ?? []
  expect(upstream).to.contain('127.0.0.1:8080').and.contain('127.0.0.1:8081')
  const servers = upstream.replace('8080', String(ports[0])).replace('8081', String(ports[1]))
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  mkdirSync(join(folder, 'temporary'))
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; ${process.getuid?.() === 0 ? 'user root;' : ''}
    pid ${folder}/pid; error_log ${folder}/error.log; events {}
    http { access_log off; ${kinds.map((kind) => `${kind}_temp_path ${folder}/temporary/${kind};`).join(' ')}
    ${servers}
    server { listen 127.0.0.1:${port}; location / {
      proxy_pass http://pentad; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    } } }`,
  )
  const command = ['nginx', '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')]
  return createFrontServer({ folder, port, command })
}

/** Clients that request pages and a route one after the other, each on a new connection. */
export function createLoad(url: string) {
  let stopped = false
  let count = 0
  const outcomes = new Set<string>()
  const ask = (path: string) =>
    new Promise<string>((resolve) => {
      get(`${url}${path}`, { agent: false }, (response) => {
        response.resume()
        response.once('error', ({ message }) => resolve(message))
        response.once('end', () => resolve(String(response.statusCode)))
      }).once('error', ({ message }) => resolve(message))
    })
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let turn = client; !stopped; turn++) {
      outcomes.add(await ask(['/', '/wp-json/', '/hello-world/', `/?s=${turn}`][turn % 4] ?? '/'))
      count++
    }
  })
  return {
    /** Resolves after that many more requests. */
    async answered(more: number): Promise<void> {
      for (const until = count + more; count < until; ) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    /** @returns all outcomes: a status, or the message of an error */
    async end(): Promise<string[]> {
      stopped = true
      await Promise.all(clients)
      return [...outcomes].sort()
    },
  }
}
