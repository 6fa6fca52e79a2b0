import { join } from 'node:path'
import { bundleScript, type ExtensionHost, type PageContext, type Scripts } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import type { Tokens } from './token.ts'

const SOURCE = join(import.meta.dirname, 'beacon.browser.js')

/**
 * Prints the script that measures a visit at the end of pages that visitors see, with the page's token in a block of
 * data. The script is built when it is first needed.
 */
export function printPageScript(
  { hooks, rest }: Pick<ExtensionHost, 'hooks' | 'rest'>,
  parts: { settings: () => SpeedSettings; scripts: Scripts; tokens: Tokens },
): void {
  const { settings, scripts, tokens } = parts
  const endpoint = rest.url('/speed/v1/web-vitals/report')
  const script = scripts.publish('vitals', 'js', () => bundleScript([SOURCE]))

  hooks.addAction('wp_footer', async (output, page) => {
    const { vitalsSampleRate } = settings()
    if (vitalsSampleRate === 0 || !isMeasured(page)) return
    const src = await script()
    if (src === undefined) return
    const token = tokens.issue(page.request.path, groupOf(page))
    const data = JSON.stringify({ token, endpoint, rate: vitalsSampleRate })
    output.print(
      `<script type="application/json" id="speed-vitals">${data.replaceAll('<', '\\u003c')}</script>\n` +
        `<script async src="${src}"></script>\n`,
    )
  })
}

/** Pages that exist, as visitors see them. */
function isMeasured({ user, preview, status }: PageContext): boolean {
  return user === null && !preview && status === 200
}

/** Pages that one template renders: `home`, `single`, `single-product`, `taxonomy-genre`. */
function groupOf({ kind, post, postType, term }: PageContext): string {
  const isUsual = post === undefined || ['post', 'page', 'attachment'].includes(post.type) || kind === 'home'
  const type = kind === 'taxonomy' ? term?.taxonomy : (postType?.name ?? (isUsual ? undefined : post.type))
  return (type === undefined ? kind : `${kind}-${type}`).replace(/[^\w-]/g, '-').slice(0, 60)
}
