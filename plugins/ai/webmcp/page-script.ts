import { join } from 'node:path'
import type { ExtensionHost, Scripts } from 'pentad'

const SOURCE = join(import.meta.dirname, 'webmcp.browser.js')

/** Prints the script that registers the tools at the end of every page, the same for all visitors. */
export function printToolScript(
  { hooks, rest }: Pick<ExtensionHost, 'hooks' | 'rest'>,
  { isOn, scripts }: { isOn: () => boolean; scripts: Scripts },
): void {
  const data = JSON.stringify({ tools: rest.url('/ai/v1/webmcp/tools') }).replaceAll('<', '\\u003c')
  const script = scripts.publish('webmcp', 'js', () => scripts.bundle([SOURCE]))
  hooks.addAction('wp_footer', (output, page) => {
    if (!isOn() || page.preview) return
    return script().then((src) => {
      if (src === undefined) return
      output.print(
        `<script type="application/json" id="ai-webmcp">${data}</script>\n<script async src="${src}"></script>\n`,
      )
    })
  })
}
