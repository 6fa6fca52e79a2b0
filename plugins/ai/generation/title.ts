import { type ExtensionHost, success, successSchema } from 'pentad'
import { z } from 'zod'
import { cutLine } from '../cut-text.ts'
import { readMentions } from '../mentions.ts'
import { MODEL_TIME } from '../model-time.ts'
import { cleanLine, cleanLines } from './clean-lines.ts'
import { unusableText } from './errors.ts'
import { briefInput, materialInput, question, readMaterial, requireOne } from './material.ts'
import type { Writer } from './writer.ts'

/** Maximum length of a title; search engines show about 60 characters. */
const LONGEST_TITLE = 200

const input = z.object({
  ...materialInput,
  ...briefInput,
  count: z.int().min(1).max(10).default(3).describe('Number of titles.'),
})

const answer = z.object({ titles: z.array(z.string()).describe('Titles, best first.') })

/** `POST /generate-title`: suggests titles for a brief or a post, best first. */
export function registerTitle(host: ExtensionHost, writer: Writer): void {
  host.rest.registerRoute('ai/v1', {
    method: 'POST',
    path: '/generate-title',
    access: 'edit_posts',
    timeLimit: MODEL_TIME,
    summary: 'Suggests titles for a post or a brief.',
    input,
    response: successSchema(z.object({ title: z.string(), alternatives: z.array(z.string()) })),
    async handler(request) {
      const { count, context, ...given } = request.input
      const material = await readMaterial(host, given, request)
      requireOne(['brief', 'postId', 'content'], given.brief, material.text, material.title)
      const { caller, fence, instructions } = writer.begin(request, 'generate-title')
      const mentioned = await readMentions(host, context, { user: request.user, fence })
      const { object } = await writer.providers.object({
        ...caller,
        instructions: instructions(
          'You write titles for posts: one line each, at most 60 characters, without quotation marks.',
        ),
        messages: [
          {
            role: 'user',
            content: question(`Write ${count} different titles.`, given.brief, material, fence, mentioned),
          },
        ],
        schema: answer,
        fromText: (text) => ({ titles: cleanLines(text) }),
      })
      const titles = [...new Set(object.titles.map((title) => cutLine(cleanLine(title), LONGEST_TITLE)))]
      const [title, ...alternatives] = titles.filter((one) => one !== '').slice(0, count)
      if (title === undefined) throw unusableText()
      return success({ title, alternatives })
    },
  })
}
