import { type ExtensionHost, plainText, success, successSchema } from 'pentad'
import { z } from 'zod'
import { mentions, readMentions } from '../mentions.ts'
import { MODEL_TIME } from '../model-time.ts'
import { cleanArticle } from './article.ts'
import { unusableText } from './errors.ts'
import { brief, materialInput, question } from './material.ts'
import type { Writer } from './writer.ts'

/** Number of words by length. */
const LENGTHS = { short: 250, medium: 600, long: 1200 }

const input = z.object({
  brief: brief.min(1),
  context: mentions,
  title: materialInput.title,
  tone: z.string().trim().max(100).optional().describe('Tone of voice. Defaults to the `tone` setting.'),
  length: z
    .enum(['short', 'medium', 'long'])
    .default('medium')
    .describe('Length of the text: about 250, 600, or 1,200 words.'),
})

const TASK = [
  'You write posts for a website.',
  'Answer only with the HTML of the body: p, h2, h3, ul, ol, li, blockquote, strong, em, table.',
  'No title, no h1, no images, no styles, no scripts, and no links to URLs that are not in the brief.',
].join(' ')

/** `POST /generate-content`: generates the content of a post from a brief, as safe HTML. */
export function registerContent(host: ExtensionHost, writer: Writer): void {
  host.rest.registerRoute('ai/v1', {
    method: 'POST',
    path: '/generate-content',
    access: 'edit_posts',
    timeLimit: MODEL_TIME,
    summary: 'Generates the content of a post from a brief.',
    input,
    response: successSchema(z.object({ content: z.string(), truncated: z.literal(true).optional() })),
    async handler(request) {
      const { brief, context, title = '', tone, length } = request.input
      const { caller, fence, instructions } = writer.begin(request, 'generate-content', { tone })
      const mentioned = await readMentions(host, context, { user: request.user, fence })
      const wish = `Write a post of about ${LENGTHS[length]} words.`
      const { text, truncated } = await writer.providers.text({
        ...caller,
        instructions: instructions(TASK),
        messages: [
          {
            role: 'user',
            content: question(wish, brief, { title: plainText(title), text: '' }, fence, mentioned),
          },
        ],
      })
      const content = cleanArticle(text)
      if (plainText(content) === '') throw unusableText()
      // Only set if the answer was truncated, so that users notice the missing end.
      return success({ content, ...(truncated && { truncated }) })
    },
  })
}
