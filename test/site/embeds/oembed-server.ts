import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestHost, type TestHost, type TestHostOptions } from 'pentad/testing'

export type Answer = (request: IncomingMessage, response: ServerResponse, asked: URL) => void

/** A server that speaks oEmbed. */
export interface OembedServer {
  /** `http://127.0.0.1:49152` */
  readonly origin: string
  /** The URLs it was asked for, by oEmbed or otherwise. */
  readonly requests: URL[]
  /** Of the requests for that URL to embed. */
  requestsFor(url: string): URL[]
  close(): Promise<void>
}

/** @param answer replies to whatever is asked */
export async function startServer(answer: Answer): Promise<OembedServer> {
  const requests: URL[] = []
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://127.0.0.1')
    requests.push(asked)
    answer(request, response, asked)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    requestsFor: (url) => requests.filter(({ searchParams }) => searchParams.get('url') === url),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Sends JSON. */
export function sendJson(response: ServerResponse, value: unknown): void {
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(value))
}

/** What videos at `https://videos.test/watch/<name>` answer. */
export function video(asked: URL, player: string): Record<string, unknown> {
  const name = asked.searchParams.get('url')?.split('/').at(-1)
  return {
    version: '1.0',
    type: 'video',
    title: `The video ${name}`,
    author_name: 'Ann & Co',
    provider_name: 'Videos',
    width: 500,
    height: 281,
    html: `<iframe src="${player}/player/${name}" width="500" height="281" title="The video ${name}"></iframe>`,
    thumbnail_url: `${player}/thumbnail/${name}.jpg`,
  }
}

/** A site on which `https://<name>.test/…` is embedded with what the server says at `/<name>`. */
export async function startEmbeddingSite(
  server: OembedServer,
  names: readonly string[],
  options: TestHostOptions = {},
): Promise<TestHost> {
  const site = await createTestHost({ ...options, isTrustedAddress: ({ origin }) => origin === server.origin })
  const own = names.map((name) => [`https://${name}.test/*`, [`${server.origin}/${name}`, false]] as const)
  site.host.hooks.addFilter('oembed_providers', (providers) => ({ ...providers, ...Object.fromEntries(own) }))
  return site
}

/** The content of a post that is published with this text, as its page shows it. */
export async function shownContent(site: TestHost, content: string): Promise<string> {
  const post = await site.host.content.posts.insert({ title: 'Post', content, status: 'publish' })
  return contentAt(site, new URL(site.host.content.link(post)).pathname)
}

/** The content of the post at a path. */
export async function contentAt(site: TestHost, path: string): Promise<string> {
  const html = await (await site.get(path)).text()
  return /<div class="entry-content">([\s\S]*?)<\/div>\s*<\/article>/.exec(html)?.[1] ?? ''
}
