import { type ExtensionHost, loadLanguages, plainText, RestError, success, successSchema } from 'pentad'
import { z } from 'zod'
import { readPassages } from './passages.ts'
import { scoreSignals, signalShape } from './signals.ts'

const MAXIMUM = 10

const scoreResponse = successSchema(
  z.object({ postId: z.int(), score: z.int(), maximum: z.int(), signals: z.array(signalShape) }),
)

/** `GET /retrieval-score`: how easy it is for AI assistants to cite a post, in five signals of two points each. */
export function registerScore({ content, rest }: Pick<ExtensionHost, 'content' | 'rest'>): void {
  rest.registerRoute('seo/v1', {
    method: 'GET',
    path: '/retrieval-score',
    // The handler checks the post: a permission has no access to parameters.
    access: async ({ can }) => (await can('edit_posts')) || can('edit_pages'),
    pro: true,
    summary: 'Scores how easy it is for AI assistants to cite a post, with recommendations.',
    input: z.object({ postId: z.int().min(1).describe('ID of the post. Requires permission to edit it.') }),
    response: scoreResponse,
    async handler({ input, can }) {
      const post = await content.posts.get(input.postId)
      if (!post || post.status === 'trash' || !content.postTypes().get(post.type)?.public)
        throw new RestError('post_not_found', 'Post not found.', { status: 404 })
      if (!(await can('edit_post', post.id)))
        throw new RestError('rest_forbidden', 'Sorry, you are not allowed to do that.', { status: 403 })
      const [html, tellLanguage] = await Promise.all([content.renderContent(post), loadLanguages()])
      const { passages, structures } = readPassages(html)
      const text = passages.map((passage) => `${passage.heading} ${passage.text}`).join(' ')
      const language = tellLanguage(text, content.siteSettings().language)
      const title = plainText(content.renderTitle(post))
      const signals = scoreSignals({ passages, structures, title, language })
      const score = signals.reduce((sum, { points }) => sum + points, 0)
      return success({ postId: post.id, score, maximum: MAXIMUM, signals })
    },
  })
}
