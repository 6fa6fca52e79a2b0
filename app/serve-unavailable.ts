import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { Server as NetServer } from 'node:net'
import { noticePage } from '../cms/http/notice-page.ts'
import type { PageTexts } from '../cms/text/index.ts'
import { acceptsQueued } from '../core/http/accept-queue.ts'
import { escapeHtml } from '../core/http/escape-html.ts'

const MESSAGE = 'Briefly unavailable for scheduled maintenance. Please check back in a minute.'
/** Seconds after which clients should try again; browsers reload the page then. */
const RETRY_AFTER = 5
/** Milliseconds for clients that have connected to send their request. */
const LINGER = 2000

/**
 * Responds to all requests with 503 while the site is closed: with a page for browsers, and with JSON for the REST API and other programs. The
 * returned function frees the port; clients that have connected still get their response.
 */
export async function serveUnavailable(
  port: number,
  address: string,
  { title, texts }: { readonly title: string; readonly texts: PageTexts },
): Promise<() => Promise<void>> {
  const json = JSON.stringify({ code: 'maintenance_mode', message: MESSAGE, data: { status: 503 } })
  const html = maintenancePage(texts, title)
  const server = createServer((request, response) => {
    const wantsPage = isFromBrowser(request)
    response.writeHead(503, {
      'Content-Type': wantsPage ? 'text/html; charset=UTF-8' : 'application/json; charset=UTF-8',
      'Retry-After': String(RETRY_AFTER),
      'Cache-Control': 'no-store',
      Vary: 'Accept',
      Connection: 'close',
    })
    response.end(wantsPage ? html : json)
  })
  const acceptQueued = acceptsQueued(server)
  const listening = once(server, 'listening')
  server.listen(port, address)
  await listening
  return async () => {
    await acceptQueued()
    // Not server.close(), which would reset connections with requests that have not been read yet.
    NetServer.prototype.close.call(server)
    setTimeout(() => {
      server.close()
      server.closeAllConnections()
    }, LINGER).unref()
  }
}

/** Whether a browser opens a page. Programs send no `Accept: text/html`. */
function isFromBrowser({ url = '', headers }: IncomingMessage): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '') && !/^\/wp-json(?:[/?]|$)|[?&]rest_route=/.test(url)
}

function maintenancePage(texts: PageTexts, siteTitle: string): string {
  const { esc_html__ } = texts
  const name = siteTitle === '' ? esc_html__('This site') : escapeHtml(siteTitle)
  return noticePage({
    texts,
    title: `${esc_html__('Maintenance')} – ${name}`,
    body: `<h1>${esc_html__('%s will be back in a moment', name)}</h1>
<p>${esc_html__('Briefly unavailable for scheduled maintenance. Please check back in a minute.')}</p>
<p><small>${esc_html__('This page reloads automatically.')}</small></p>`,
    refresh: RETRY_AFTER,
  })
}
