import { type ExtensionHost, escapeHtml, type Post, RestError, success, successSchema, type User } from 'pentad'
import { z } from 'zod'
import { cutLine } from '../cut-text.ts'
import { readMentions } from '../mentions.ts'
import { MODEL_TIME } from '../model-time.ts'
import { PROVIDERS } from '../providers/choice.ts'
import { NO_IMAGE_MODEL, noImageModel } from '../providers/errors.ts'
import type { Providers } from '../providers/types.ts'
import { cleanLine, cleanLines } from './clean-lines.ts'
import { unusableImage } from './errors.ts'
import { briefInput, materialInput, question, readMaterial, requireOne } from './material.ts'
import type { Writer } from './writer.ts'

/** Maximum length of alternative text that screen readers read without a pause. */
const LONGEST_ALT = 200
const LONGEST_PROMPT = 2000

/** Image formats that models return, as sharp names them. */
const FORMATS = ['png', 'jpeg', 'webp', 'gif']

const input = z.object({
  ...materialInput,
  ...briefInput,
  size: z
    .string()
    .regex(/^[1-9]\d{2,3}x[1-9]\d{2,3}$/, 'It must be a size such as 1536x1024.')
    .optional()
    .describe('Width and height in pixels, for models that support it.'),
})

const plan = z.object({
  prompt: z.string().describe('Prompt for the image model: subject, setting, style.'),
  alt: z.string().describe('Alternative text of the image, one sentence of at most 125 characters.'),
})

const none = z.null()
const capabilityShape = z.union([
  z.object({ available: z.literal(true), provider: z.enum(PROVIDERS), model: z.string(), reason: none }),
  z.object({ available: z.literal(false), provider: none, model: none, reason: z.string() }),
])

const TASK = 'You plan featured images for posts. They contain no text, no logos and no faces of real people.'

/**
 * `POST /generate-featured-image`: adds a generated image with alternative text to the media library. The user decides
 * whether to set it as featured image. `GET /image-capability`: whether an image model is available.
 */
export function registerFeaturedImage(host: ExtensionHost, writer: Writer): void {
  const { providers } = writer

  host.rest.registerRoute('ai/v1', {
    method: 'GET',
    path: '/image-capability',
    response: successSchema(capabilityShape),
    access: 'edit_posts',
    summary: 'Returns whether a connected provider has an image model.',
    handler: () => success(capability(providers)),
  })

  host.rest.registerRoute('ai/v1', {
    method: 'POST',
    path: '/generate-featured-image',
    access: async ({ can }) => (await can('edit_posts')) && can('upload_files'),
    timeLimit: MODEL_TIME,
    summary: 'Generates a featured image for a post and adds it to the media library.',
    input,
    response: successSchema(z.object({ attachmentId: z.int(), url: z.string(), alt: z.string() })),
    async handler(request) {
      const { brief, context, size, ...given } = request.input
      const material = await readMaterial(host, given, request)
      requireOne(['brief', 'postId'], brief, material.title, material.text)
      const { text, image } = providers.choices()
      if (text && !image) throw noImageModel()
      const { caller, fence, instructions } = writer.begin(request, 'generate-featured-image')
      const mentioned = await readMentions(host, context, { user: request.user, fence })
      const { object } = await providers.object({
        ...caller,
        instructions: instructions(TASK),
        messages: [{ role: 'user', content: question('Plan one image.', brief, material, fence, mentioned) }],
        schema: plan,
        fromText(text) {
          const prompt = cleanLines(text).join(' ')
          return prompt === '' ? undefined : { prompt, alt: '' }
        },
      })
      const said = [object.alt, brief ?? '', material.title, object.prompt].map(cleanLine)
      const alt = cutLine(said.find((text) => text !== '') ?? '', LONGEST_ALT)
      const prompt = cutLine(object.prompt, LONGEST_PROMPT)
      const { bytes } = await providers.image({ ...caller, prompt, size })
      const attachment = await store(host, { bytes, alt, post: material.post, user: request.user })
      const details = (await host.content.media.details([attachment])).get(attachment.id)
      return success({ attachmentId: attachment.id, url: details?.url ?? '', alt })
    },
  })
}

/** Response of `GET /image-capability`. */
function capability(providers: Providers) {
  const { image } = providers.choices()
  return image
    ? { available: true, provider: image.provider, model: image.model, reason: null }
    : { available: false, provider: null, model: null, reason: NO_IMAGE_MODEL }
}

/** An invalid image is an error of the provider, not of the client. */
async function store(
  host: ExtensionHost,
  image: {
    readonly bytes: Uint8Array
    readonly alt: string
    readonly post: Post | undefined
    readonly user: User | null
  },
): Promise<Post> {
  const { bytes, alt, post, user } = image
  const format = await formatOf(bytes)
  if (format === undefined) throw unusableImage()
  try {
    return await host.content.media.upload(
      { source: bytes, name: `featured-image.${format}` },
      { title: escapeHtml(alt), authorId: user?.id, parentId: post?.id, meta: { _wp_attachment_image_alt: [alt] } },
    )
  } catch (error) {
    if (!(error instanceof RestError)) throw error
    host.log.warn(
      { code: error.code, reason: error.data.reason },
      'generated image not stored, format not allowed in the media library',
    )
    throw unusableImage()
  }
}

/** The media library also accepts SVG and documents, which are not valid results here. */
async function formatOf(bytes: Uint8Array): Promise<string | undefined> {
  const { default: sharp } = await import('sharp')
  try {
    const { format } = await sharp(bytes).metadata()
    return FORMATS.find((known) => known === format)
  } catch {
    return undefined
  }
}
