import { type ExtensionHost, plainText, RestError, success, successSchema, type Term } from 'pentad'
import { z } from 'zod'
import { MODEL_TIME } from '../model-time.ts'
import { cleanLines } from './clean-lines.ts'
import { materialInput, question, readMaterial, requireOne } from './material.ts'
import type { Writer } from './writer.ts'

/** Maximum number of categories offered to the model, most used first. */
const MOST_CATEGORIES = 300

const answer = z.object({ id: z.coerce.number().describe('ID of the category.') })

/** `POST /generate-categories`: suggests the best category for a post, or the default category. */
export function registerCategory(host: ExtensionHost, writer: Writer): void {
  const { terms } = host.content

  async function categories(): Promise<Term[]> {
    const query = { taxonomy: 'category', orderBy: 'count', order: 'desc', limit: MOST_CATEGORIES } as const
    const { items } = await terms.query(query)
    const usual = await terms.get(host.content.siteSettings().defaultCategory)
    return !usual || items.some(({ id }) => id === usual.id) ? items : [...items, usual]
  }

  host.rest.registerRoute('ai/v1', {
    method: 'POST',
    path: '/generate-categories',
    access: 'edit_posts',
    timeLimit: MODEL_TIME,
    summary: 'Suggests a category for a post.',
    input: z.object(materialInput),
    response: successSchema(z.object({ category: z.object({ id: z.int(), name: z.string() }) })),
    async handler(request) {
      const material = await readMaterial(host, request.input, request)
      requireOne(['postId', 'title', 'content'], material.title, material.text)
      const all = await categories()
      const usual = all.find(({ id }) => id === host.content.siteSettings().defaultCategory) ?? all[0]
      if (!usual)
        throw new RestError('category_not_found', 'The site has no categories. Create one first.', { status: 404 })
      const { caller, fence, instructions } = writer.begin(request, 'generate-categories')
      const wish = `Choose the best category.\n\n${fence.wrap('categories', listed(all))}`
      const { object } = await writer.providers.object({
        ...caller,
        instructions: instructions(
          'You assign posts to categories. Answer with the number of a category from the list.',
        ),
        messages: [{ role: 'user', content: question(wish, undefined, material, fence) }],
        schema: answer,
        fromText: (text) => ({ id: idOf(text, all) }),
      })
      const { id, name } = all.find((category) => category.id === object.id) ?? usual
      return success({ category: { id, name: plainText(name) } })
    },
  })
}

/** `7: Travel › Europe`, one per line. */
function listed(categories: readonly Term[]): string {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const path = ({ name, parentId }: Term, depth = 0): string => {
    const parent = depth < 5 ? byId.get(parentId) : undefined
    return parent ? `${path(parent, depth + 1)} › ${plainText(name)}` : plainText(name)
  }
  return categories.map((category) => `${category.id}: ${path(category)}`).join('\n')
}

/** The category named in an answer, by ID or name; 0 if none is. */
function idOf(answer: string, categories: readonly Term[]): number {
  const lines = cleanLines(answer)
  const named = categories.find(({ name }) =>
    lines.some((line) => line.toLowerCase() === plainText(name).toLowerCase()),
  )
  return named?.id ?? Number(/\d+/.exec(answer)?.[0] ?? 0)
}
