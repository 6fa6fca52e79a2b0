import { createTranslations } from '../cms/text/index.ts'
import type { ConfigInput } from '../core/config.ts'
import { createSite, type Site, type SiteOptions } from './create-site.ts'
import { serveUnavailable } from './serve-unavailable.ts'

/** Delay before another attempt to open the site, in ms, for example if its database is unreachable. */
const OPEN_AGAIN = 2000
/** Attempts to open the site. */
const TRIES = 15

/** A served site, which is closed and reopened when parts of it are replaced. */
export interface Serving {
  /** The current host. */
  readonly host: Site
  /** The address it listens on, which does not change. */
  readonly url: string
  /** Rejects if the site could not be reopened. */
  readonly failed: Promise<never>
  close(): Promise<void>
}

interface ServeOptions extends SiteOptions {
  readonly opened?: ((host: Site) => void | Promise<void>) | undefined
  readonly closed?: (() => void) | undefined
}

/**
 * Opens and serves a site.
 *
 * @param parts.opened - Called each time before the site is served.
 * @param parts.closed - Called each time the site has been closed to be reopened.
 */
export async function serve(
  input: ConfigInput,
  { opened, closed: afterClose, ...parts }: ServeOptions = {},
): Promise<Serving> {
  const failure = Promise.withResolvers<never>()
  // An unhandled rejection must not end the process.
  failure.promise.catch(() => {})
  let isClosing = false
  let reopening: Promise<void> | undefined
  let onPortFree: (() => unknown) | undefined

  async function open(given: ConfigInput): Promise<Site> {
    const next = await createSite(given, { ...parts, serves: true, onPortFree: () => onPortFree?.() })
    try {
      await opened?.(next)
      return next
    } catch (error) {
      await next.close()
      throw error
    }
  }

  function follow(): void {
    void host.restarting.then(() => {
      if (isClosing) return
      reopening = reopen().catch(failure.reject)
    })
  }

  async function reopen(): Promise<void> {
    const { port, host: address } = host.config
    const { title, language } = host.content.siteSettings()
    const texts = await createTranslations({ siteDir: host.config.siteDir, log: host.log }).page(language)
    let started: ReturnType<typeof serveUnavailable> | undefined
    const startUnavailable = () => {
      started ??= serveUnavailable(port, address, { title, texts })
      // Awaited below.
      started.catch(() => {})
      return started
    }
    // At once, because it takes a while until the site is closed.
    onPortFree = startUnavailable
    try {
      await host.close()
    } catch (error) {
      await (await started)?.()
      throw error
    } finally {
      onPortFree = undefined
    }
    afterClose?.()
    const closed = await startUnavailable()
    let next: Site
    try {
      next = await tryAgain(() => open({ ...input, port }))
    } finally {
      await closed()
    }
    host = next
    await host.listen()
    follow()
  }

  let host = await open(input)
  let url: string
  try {
    url = await host.listen()
  } catch (error) {
    await host.close()
    throw error
  }
  follow()
  return {
    get host() {
      return host
    },
    url,
    failed: failure.promise,
    async close() {
      isClosing = true
      await reopening
      await host.close()
    },
  }
}

async function tryAgain<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, OPEN_AGAIN))
  }
}
