import { z } from 'zod'
import { dimensionsOf, IMAGE_SIZES } from '../../media/dimensions.ts'
import { filesOf } from '../../render/image-tag.ts'
import type { ImageSize, MediaDetails, Post } from '../../types.ts'
import { ALL, EDIT, type Fields, VIEW_EDIT } from '../fields.ts'
import { shownText } from '../response-shapes.ts'
import type { AroundPosts } from './types.ts'

const sizeShape = z.object({
  ...{ file: z.string(), width: z.int(), height: z.int(), mime_type: z.string(), source_url: z.string() },
  filesize: z.int().optional(),
})
const mediaDetailsShape = z.object({
  ...{ width: z.int().optional(), height: z.int().optional(), file: z.string().optional() },
  ...{ filesize: z.int().optional(), sizes: z.record(z.string(), sizeShape).optional() },
  image_meta: z.record(z.string(), z.unknown()).optional(),
})

const detailsOf = (post: Post, around: AroundPosts) => around.media.get(post.id)

/** Fields of attachments only, in WordPress's order. */
export const MEDIA_FIELDS: Fields<Post, AroundPosts> = {
  description: {
    contexts: VIEW_EDIT,
    schema: shownText,
    read: async (post, { content, asked }) => ({
      ...(asked.context === 'edit' && { raw: content.currentAddresses(post.content) }),
      rendered: await content.renderContent(post),
    }),
  },
  caption: {
    contexts: ALL,
    schema: shownText,
    read: async (post, { content, asked }) => ({
      ...(asked.context === 'edit' && { raw: content.currentAddresses(post.excerpt) }),
      rendered: await content.renderExcerpt(post),
    }),
  },
  alt_text: { contexts: ALL, schema: z.string(), read: (post, around) => detailsOf(post, around)?.alt ?? '' },
  media_type: {
    contexts: ALL,
    schema: z.enum(['image', 'file']),
    read: (post) => (post.mimeType.startsWith('image/') ? 'image' : 'file'),
  },
  mime_type: { contexts: ALL, schema: z.string(), read: (post) => post.mimeType },
  media_details: {
    contexts: ALL,
    schema: mediaDetailsShape,
    read: (post, around) => mediaDetails(detailsOf(post, around)),
  },
  post: { contexts: VIEW_EDIT, schema: z.int().nullable(), read: (post) => post.parentId || null },
  source_url: { contexts: ALL, schema: z.string(), read: (post, around) => detailsOf(post, around)?.url ?? post.guid },
  missing_image_sizes: {
    contexts: EDIT,
    schema: z.array(z.string()),
    read: (post, around) => missingSizes(detailsOf(post, around)),
  },
}

/** Sizes for which the image is large enough, but that have no file, for example after an import; `post-process` generates them. */
function missingSizes(details: MediaDetails | undefined): string[] {
  if (!details?.sizes.full) return []
  const missing = Object.entries(IMAGE_SIZES).filter(
    ([name, rule]) => !details.sizes[name] && dimensionsOf(details, rule),
  )
  return missing.map(([name]) => name)
}

function mediaDetails(details: MediaDetails | undefined): Record<string, unknown> {
  if (!details) return {}
  const { width, height, file, filesize, imageMeta } = details
  const isImage = width > 0 && height > 0
  const names = Object.keys(details.sizes).sort((one, other) => Number(one === 'full') - Number(other === 'full'))
  const files = filesOf(details)
  const sizes = Object.fromEntries(names.flatMap((name, at) => (files[at] ? [[name, sizeOf(files[at])]] : [])))
  return {
    ...(isImage && { width, height, file }),
    ...(filesize !== undefined && { filesize }),
    sizes,
    ...(isImage && { image_meta: imageMeta }),
  }
}

function sizeOf({ file, width, height, filesize, mimeType, url }: ImageSize): Record<string, unknown> {
  return { file, width, height, ...(filesize !== undefined && { filesize }), mime_type: mimeType, source_url: url }
}
