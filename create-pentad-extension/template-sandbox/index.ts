import { defineExtension, escapeHtml } from 'pentad/sandbox'
import { z } from 'zod'

export default defineExtension({
  id: 'my-extension',
  name: 'my-extension',
  version: '1.0.0',
  description: 'Says hello below every post.',
  requires: { pentad: '*' },
  isolation: 'sandbox',
  permissions: { hooks: ['the_content'], routes: ['public'], settings: true },
  setup({ hooks, rest, settings }) {
    const options = settings.register(z.object({ greeting: z.string().max(200).default('Hello!') }))

    hooks.addFilter(
      'the_content',
      (html) => `${html}\n<p class="my-extension">${escapeHtml(options.get().greeting)}</p>`,
    )

    rest.registerRoute('my-extension/v1', {
      method: 'GET',
      path: '/greeting',
      access: 'public',
      handler: () => ({ greeting: options.get().greeting }),
    })
  },
})
