import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { Server as NetServer } from 'node:net'
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
export async function serveUnavailable(port: number, address: string, siteTitle: string): Promise<() => Promise<void>> {
  const json = JSON.stringify({ code: 'maintenance_mode', message: MESSAGE, data: { status: 503 } })
  const html = maintenancePage(siteTitle)
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

function maintenancePage(siteTitle: string): string {
  const title = escapeHtml(siteTitle || 'This site')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${RETRY_AFTER}">
<title>Maintenance – ${title}</title>
</head>
<body style="font: 1.1rem/1.6 system-ui, sans-serif; max-width: 36rem; margin: 15vh auto; padding: 0 1rem">
<h1>${title} will be back in a moment</h1>
<p>${MESSAGE}</p>
<p><small>This page reloads automatically.</small></p>
</body>
</html>
`
}
