import { type ExtensionHost, plainText, type ResponseOf, success, successSchema } from 'pentad'
import { z } from 'zod'
import { cutLine } from '../cut-text.ts'
import { MODEL_TIME } from '../model-time.ts'
import { cleanLine, cleanLines } from './clean-lines.ts'
import { unusableText } from './errors.ts'
import { materialInput, question, readMaterial, requireOne } from './material.ts'
import type { Writer } from './writer.ts'

const MOST_TAGS = 10
const LONGEST_TAG = 50

/** Maximum number of existing tags offered to the model, most used first. */
const KNOWN_TAGS = 100

const answer = z.object({ tags: z.array(z.string()).describe('Suggested tags, most relevant first.') })

const tagShape = z.object({ name: z.string(), id: z.int().optional().describe('ID of the tag, if it exists.') })

/** `POST /generate-tags`: suggests tags for a post, preferring existing ones. */
export function registerTags(host: ExtensionHost, writer: Writer): void {
  const { terms } = host.content

  /** The existing tag with this name, ignoring case. */
  async function stored(name: string): Promise<{ readonly id: number; readonly name: string } | undefined> {
    // Names are stored as HTML: `R&amp;B`.
    const { items } = await terms.query({ taxonomy: 'post_tag', search: name.replaceAll('&', '&amp;'), limit: 20 })
    const found = items.map((term) => ({ id: term.id, name: plainText(term.name) }))
    return found.find((tag) => sameName(tag.name) === sameName(name))
  }

  host.rest.registerRoute('ai/v1', {
    method: 'POST',
    path: '/generate-tags',
    access: 'edit_posts',
    timeLimit: MODEL_TIME,
    summary: 'Suggests tags for a post.',
    input: z.object(materialInput),
    response: successSchema(z.object({ tags: z.array(tagShape) })),
    async handler(request) {
      const material = await readMaterial(host, request.input, request)
      requireOne(['postId', 'title', 'content'], material.title, material.text)
      const known = await terms.query({ taxonomy: 'post_tag', orderBy: 'count', order: 'desc', limit: KNOWN_TAGS })
      const { caller, fence, instructions } = writer.begin(request, 'generate-tags')
      const names = known.items.map(({ name }) => plainText(name)).join('\n')
      const wish = `Suggest 3 to ${MOST_TAGS} tags. Prefer existing tags.\n\n${fence.wrap('tags of the site', names)}`
      const { object } = await writer.providers.object({
        ...caller,
        instructions: instructions(
          'You choose tags for posts: one or two words each, as readers would search for them.',
        ),
        messages: [{ role: 'user', content: question(wish, undefined, material, fence) }],
        schema: answer,
        fromText: (text) => ({ tags: cleanLines(text).flatMap((line) => line.split(/[,;]/)) }),
      })
      const tags: ResponseOf<typeof tagShape>[] = []
      const seen = new Set<string>()
      for (const said of object.tags) {
        const name = cutLine(cleanLine(said).replace(/^#+/, ''), LONGEST_TAG)
        if (name === '' || seen.has(sameName(name)) || tags.length === MOST_TAGS) continue
        seen.add(sameName(name))
        tags.push((await stored(name)) ?? { name })
      }
      if (tags.length === 0) throw unusableText()
      return success({ tags })
    },
  })
}

function sameName(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}
