import { join } from 'node:path'
import type { ExtensionHost, PageContext, PageOutput, Scripts } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import type { Tokens } from './token.ts'

const SOURCE = join(import.meta.dirname, 'beacon.browser.js')

/**
 * Prints the measuring script in the footer of public pages, with the page's token in a data block. The script is built
 * on first use.
 */
export function printPageScript(
  { hooks, rest }: Pick<ExtensionHost, 'hooks' | 'rest'>,
  parts: { settings: () => SpeedSettings; scripts: Scripts; tokens: Tokens },
): void {
  const { settings, scripts, tokens } = parts
  const endpoint = rest.url('/speed/v1/web-vitals/report')
  const script = scripts.publish('vitals', 'js', () => scripts.bundle([SOURCE]))

  hooks.addAction('wp_footer', (output, page) => {
    if (settings().vitalsSampleRate > 0 && isMeasured(page)) return print(output, page)
  })

  async function print(output: PageOutput, page: PageContext): Promise<void> {
    const { vitalsSampleRate } = settings()
    const src = await script()
    if (src === undefined) return
    const token = tokens.issue(page.request.path, groupOf(page))
    const data = JSON.stringify({ token, endpoint, rate: vitalsSampleRate })
    output.print(
      `<script type="application/json" id="speed-vitals">${data.replaceAll('<', '\\u003c')}</script>\n` +
        `<script async src="${src}"></script>\n`,
    )
  }
}

/** Existing pages, viewed by anonymous visitors. */
function isMeasured({ user, preview, status }: PageContext): boolean {
  return user === null && !preview && status === 200
}

/** Group of pages rendered by the same template: `home`, `single`, `single-product`, `taxonomy-genre`. */
function groupOf({ kind, post, postType, term }: PageContext): string {
  const isBuiltIn = post === undefined || ['post', 'page', 'attachment'].includes(post.type) || kind === 'home'
  const type = kind === 'taxonomy' ? term?.taxonomy : (postType?.name ?? (isBuiltIn ? undefined : post.type))
  return (type === undefined ? kind : `${kind}-${type}`).replace(/[^\w-]/g, '-').slice(0, 60)
}
