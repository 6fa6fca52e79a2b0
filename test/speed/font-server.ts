import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** The first bytes of a font, and some more. */
export const WOFF2 = Buffer.concat([Buffer.from('wOF2\0\u0001\0\0', 'latin1'), Buffer.alloc(600, 7)])

/** A font service as Google Fonts is: `/css2?family=…` answers by what the browser knows, `/s/…` are the fonts. */
export interface FontServer {
  readonly host: string
  readonly url: string
  /** Paths that were asked for, with `User-Agent`. */
  readonly asked: { readonly path: string; readonly userAgent: string }[]
  /** Answers something else for one path. */
  answer(path: string, handler: (request: IncomingMessage, response: ServerResponse) => void): void
  close(): Promise<void>
}

export async function startFontServer(): Promise<FontServer> {
  const asked: { path: string; userAgent: string }[] = []
  const others = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const userAgent = request.headers['user-agent'] ?? ''
    asked.push({ path: request.url ?? '', userAgent })
    const other = others.get(pathname)
    if (other) return other(request, response)
    if (pathname === '/css2') {
      response.setHeader('Content-Type', 'text/css; charset=utf-8')
      return response.end(sheet(fonts.url, searchParams, userAgent))
    }
    if (!pathname.startsWith('/s/')) return response.writeHead(404).end()
    response.setHeader('Content-Type', pathname.endsWith('.woff2') ? 'font/woff2' : 'font/ttf')
    return response.end(Buffer.concat([WOFF2, Buffer.from(pathname)]))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const fonts: FontServer = {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    asked,
    answer: (path, handler) => void others.set(path, handler),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return fonts
}

/** As Google answers: a rule for each part of the characters, or one with TrueType for browsers that it does not know. */
function sheet(url: string, query: URLSearchParams, userAgent: string): string {
  const [family = ''] = (query.get('family') ?? '').split(':')
  const display = query.get('display')
  const rule = (subset: string, source: string, range: string) => `/* ${subset} */
@font-face {
  font-family: '${family}';
  font-style: normal;
  font-weight: 400;${display ? `\n  font-display: ${display};` : ''}
  src: ${source};${range ? `\n  unicode-range: ${range};` : ''}
}
`
  if (!/(?:Chrome|Firefox)\/\d{2,}/.test(userAgent)) return rule('all', `url(${url}/s/all.ttf) format('truetype')`, '')
  return (
    rule('greek', `url(${url}/s/greek.woff2) format('woff2')`, 'U+0370-0377, U+037A-037F') +
    rule('latin', `url(${url}/s/latin.woff2) format('woff2')`, 'U+0000-00FF, U+0131')
  )
}
