import type Koa from 'koa'
import { isCode, RestError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { escapeHtml } from './escape-html.ts'
import { queryOf } from './request.ts'
import { unexpectedError } from './unexpected-error.ts'

/**
 * Responds to uncaught errors. The message of a `RestError` is shown to the visitor; anything else is a bug, for which the visitor sees
 * only the request ID, which the log contains too.
 */
export function sendError(context: Koa.Context, error: unknown, log: Logger): void {
  const { requestId } = context.state
  if (isDisconnected(context, error)) {
    log.debug({ err: error, requestId, path: context.path }, 'client disconnected')
    return
  }
  if (!(error instanceof RestError)) log.error({ err: error, requestId, path: context.path }, 'request failed')
  if (context.headerSent) return void context.res.destroy()
  const { status, code, message, data, headers } =
    error instanceof RestError ? error : unexpectedError(error, requestId)
  // An extension can use any number; only these are error statuses (RFC 9110, 15).
  context.status = Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500
  context.set({ 'Cache-Control': 'no-store', ...headers })
  if (context.path === '/wp-json' || context.path.startsWith('/wp-json/') || queryOf(context).has('rest_route')) {
    context.body = { code, message, data }
    return
  }
  context.type = 'html'
  context.body = (context.state.errorPage ?? errorPage)(status, message, requestId)
}

/** Whether the client disconnected before its request was complete, which is not an error of the site. */
function isDisconnected({ req }: Koa.Context, error: unknown): boolean {
  return !req.complete && req.destroyed && isCode(error, 'ECONNRESET')
}

function errorPage(status: number, message: string, requestId: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${status}</title>
<body style="font: 1.1rem/1.6 system-ui, sans-serif; max-width: 36rem; margin: 15vh auto; padding: 0 1rem">
<h1>${status}</h1>
<p>${escapeHtml(message)}</p>
<p><small>Request ${requestId}</small></p>
</body>
</html>
`
}
