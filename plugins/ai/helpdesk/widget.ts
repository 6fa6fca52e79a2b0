import { join } from 'node:path'
import type { ExtensionHost, PageOutput, Scripts } from 'pentad'
import type { HelpdeskTexts } from './default-texts.ts'
import type { HelpdeskSettings } from './settings.ts'
import { helpdeskTexts } from './texts.ts'

/** Data of the widget in a page, the same for all visitors, because pages are cached. */
interface WidgetSettings {
  /** Absolute URLs of the routes. */
  readonly api: string
  /** Whether AI answers are enabled; otherwise only the contact form is shown. */
  readonly conversation?: true
  readonly position: HelpdeskSettings['helpdeskPosition']
  readonly texts: HelpdeskTexts
}

/** Prints the widget at the end of every page while the helpdesk is enabled. */
export function registerWidget(
  host: Pick<ExtensionHost, 'hooks' | 'license' | 'rest' | 'textsFor'>,
  { settings, scripts }: { settings: () => HelpdeskSettings; scripts: Scripts },
): void {
  const { hooks, license, rest } = host
  const source = join(import.meta.dirname, 'source', 'helpdesk.browser.js')
  const script = scripts.publish('helpdesk', 'js', () => scripts.bundle([source]))

  hooks.addAction('license_changed', () => {
    const isShown = settings().helpdeskAgent === 'on' && settings().helpdeskConversation === 'on'
    if (isShown) hooks.doAction('purge_pages', { tags: ['site'], reason: 'The license for the helpdesk changed.' })
  })
  hooks.addAction('wp_footer', (output, page) => {
    if (settings().helpdeskAgent === 'on' && !page.preview) return print(output)
  })

  async function print(output: PageOutput): Promise<void> {
    const { helpdeskConversation, helpdeskPosition } = settings()
    const src = await script()
    if (src === undefined) return
    const data: WidgetSettings = {
      api: rest.url('/ai/v1/helpdesk-agent'),
      ...(helpdeskConversation === 'on' && license.active && { conversation: true }),
      position: helpdeskPosition,
      texts: await helpdeskTexts(host),
    }
    output.print(
      `<script type="application/json" id="ai-helpdesk">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>\n` +
        `<script async src="${src}"></script>\n`,
    )
  }
}
