import type { Metadata, Sharp } from 'sharp'
import type { RestRequest } from '../../../../core/rest/types.ts'
import { type Format, MAX_PIXELS, TIMEOUT, written } from '../../media/image.ts'
import type { Content, Post } from '../../types.ts'
import { badRequest } from '../errors.ts'
import type { AskedEdit } from './write-parameters.ts'

type Modifier = NonNullable<AskedEdit['modifiers']>[number]

const EDITABLE: Readonly<Record<string, Format>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
}
const QUALITY = 92

/**
 * Creates an attachment from an image by rotating and cropping; WordPress's `edit_media_item`. The original is unchanged.
 * @throws RestError `rest_cannot_edit_file_type`, `rest_image_not_edited`, `rest_unknown_attachment`, `rest_image_crop_failed`,
 *   `rest_image_rotation_failed`
 */
export async function editImage(post: Post, request: RestRequest<AskedEdit>, content: Content): Promise<Post> {
  const { input, user } = request
  const format = EDITABLE[post.mimeType]
  if (!format) {
    throw badRequest('rest_cannot_edit_file_type', 'This type of file cannot be edited.')
  }
  const details = (await content.media.details([post])).get(post.id)
  const own = [details?.url, ...Object.values(details?.sizes ?? {}).map((size) => size.url)]
  if (!own.includes(input.src)) {
    throw badRequest('rest_unknown_attachment', 'Unable to get meta information for file.')
  }
  const modifiers = modifiersOf(input)
  if (modifiers.length === 0) {
    throw badRequest('rest_image_not_edited', 'The image was not edited. Edit the image before applying the changes.')
  }
  const bytes = await content.media.work(post.id, async (original) => {
    let changed = original
    for (const modifier of modifiers) changed = await apply(modifier, changed)
    return encode(changed, format)
  })

  const name = details?.file.split('/').at(-1) ?? 'image'
  const dot = name.lastIndexOf('.')
  const base = name.slice(0, dot).replace(/-(?:scaled|edited)(?:-\d+)?$/, '')
  return content.media.upload(
    { source: bytes, name: `${base}-edited${name.slice(dot)}` },
    {
      title: post.title,
      excerpt: post.excerpt,
      content: post.content,
      authorId: user?.id,
      parentId: post.parentId,
      meta: {
        _wp_attachment_image_alt: [details?.alt ?? ''],
        parent_image: [{ attachment_id: post.id, file: details?.file ?? '' }],
      },
    },
  )
}

/** Converts the older parameters: first rotate, then crop. */
function modifiersOf({ modifiers, rotation, x, y, width, height }: AskedEdit): Modifier[] {
  if (modifiers) return modifiers.filter((one) => one.type === 'crop' || one.args.angle % 360 !== 0)
  const turned: Modifier[] = rotation === undefined ? [] : [{ type: 'rotate', args: { angle: rotation } }]
  if (x === undefined || y === undefined || width === undefined || height === undefined) return turned
  return [...turned, { type: 'crop', args: { left: x, top: y, width, height } }]
}

async function apply(modifier: Modifier, bytes: Uint8Array): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS }).timeout({ seconds: TIMEOUT }).keepIccProfile()
  const metadata = await image.metadata()
  const changed = modifier.type === 'rotate' ? turn(image, modifier, metadata) : crop(image, modifier, metadata)
  // Nothing is lost between two steps; the last one is written in the image's own format.
  return finished(changed.png({ compressionLevel: 1 }))
}

async function encode(bytes: Uint8Array, format: Format): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  return finished(written(sharp(bytes).timeout({ seconds: TIMEOUT }).keepIccProfile(), format, QUALITY))
}

async function finished(image: Sharp): Promise<Uint8Array> {
  return image.toBuffer().catch(() => {
    throw badRequest('rest_image_crop_failed', 'Unable to crop this image.')
  })
}

/** An image rotated by an arbitrary angle gets larger with each rotation. */
function turn(image: Sharp, { args }: Extract<Modifier, { type: 'rotate' }>, { autoOrient }: Metadata): Sharp {
  const angle = args.angle % 360
  const { width, height } = autoOrient
  const [sine, cosine] = [Math.abs(Math.sin((angle * Math.PI) / 180)), Math.abs(Math.cos((angle * Math.PI) / 180))]
  const pixels = (width * cosine + height * sine) * (width * sine + height * cosine)
  if (pixels > MAX_PIXELS) throw badRequest('rest_image_rotation_failed', 'Unable to rotate this image.')
  return image.rotate(angle)
}

function crop(image: Sharp, { args }: Extract<Modifier, { type: 'crop' }>, { autoOrient }: Metadata): Sharp {
  const { width, height } = autoOrient
  const part = (percent: number, of: number) => Math.round((of * percent) / 100)
  const left = Math.min(part(args.left, width), width - 1)
  const top = Math.min(part(args.top, height), height - 1)
  return image.extract({
    left,
    top,
    width: Math.max(1, Math.min(part(args.width, width), width - left)),
    height: Math.max(1, Math.min(part(args.height, height), height - top)),
  })
}
