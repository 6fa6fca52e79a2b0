/** As much of a browser as a script in a page of the site sees: a `fetch` that keeps the site's cookies. */
export interface Browser {
  readonly fetch: typeof fetch
  /** Forgets the cookies. */
  clear(): void
}

/** As it was before any test put a browser's in its place. */
const { fetch: plainFetch } = globalThis

/** @param origin of the page that the scripts run in; other origins get no cookies and give none. */
export function openBrowser(origin: string): Browser {
  const cookies = new Map<string, string>()

  async function browse(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input, origin)
    if (url.origin !== origin) return plainFetch(input, init)
    const headers = new Headers(init.headers)
    if (cookies.size > 0) headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    // Browsers name the origin of whatever is not a plain read.
    if ((init.method ?? 'GET') !== 'GET') headers.set('Origin', origin)
    headers.set('Sec-Fetch-Site', 'same-origin')
    const response = await plainFetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) keep(line)
    return response
  }

  function keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';')
    const at = pair.indexOf('=')
    const isGone = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))
    if (isGone || pair.slice(at + 1) === '') cookies.delete(pair.slice(0, at).trim())
    else cookies.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim())
  }

  return { fetch: browse, clear: () => cookies.clear() }
}
