import { defineExtension, escapeHtml } from 'pentad'
import { z } from 'zod'

export default defineExtension({
  id: 'hello',
  name: 'Hello',
  version: '1.0.0',
  description: 'Says hello below every post.',
  setup({ hooks, settings }) {
    const options = settings.register(z.object({ greeting: z.string().max(200).default('Hello!') }))

    hooks.addFilter('the_content', (html) => `${html}\n<p class="hello">${escapeHtml(options.get().greeting)}</p>`)
  },
})
