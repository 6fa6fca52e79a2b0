import type { ExtensionHost, Scripts } from 'pentad'
import type { Providers } from '../providers/types.ts'
import { registerContact } from './contact.ts'
import { registerContactForm } from './contact-form.ts'
import { registerConversation } from './conversation/index.ts'
import { createFormAge } from './form-age.ts'
import { registerNonce } from './nonce.ts'
import type { HelpdeskSettings } from './settings.ts'
import { registerWidget } from './widget.ts'

/** The helpdesk: a chat button on every page, and its routes. */
export async function registerHelpdesk(
  host: ExtensionHost,
  parts: { settings: () => HelpdeskSettings; providers: Providers; scripts: Scripts },
): Promise<void> {
  const { settings, providers, scripts } = parts
  const formAge = createFormAge(host.site.key('helpdesk forms'))
  registerNonce(host, { formAge })
  const forms = registerContactForm(host, { scripts })
  registerContact(host, { settings, formAge, forms })
  await registerConversation(host, { settings, providers })
  registerWidget(host, { settings, scripts })
}
