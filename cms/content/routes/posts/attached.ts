import type { Content, Meta, Post } from '../../types.ts'
import { badRequest, invalidParameter } from '../errors.ts'
import type { WriteParts } from '../parts.ts'

/** Meta key of the featured image of a post; 0 removes it. */
export async function checkFeatured(content: Content, id: number | undefined): Promise<Meta> {
  if (id === undefined) return {}
  if (id === 0) return { _thumbnail_id: [] }
  const media = await content.posts.get(id)
  if (media?.type !== 'attachment' || !media.mimeType.startsWith('image/'))
    throw badRequest('rest_invalid_featured_media', 'Invalid featured media ID.')
  return { _thumbnail_id: [String(id)] }
}

/**
 * Whether the theme has the template. One that the post has already may stay, even if a theme lacks it now; WordPress's
 * `check_template`.
 * @throws RestError `rest_invalid_param`
 */
export async function checkTemplate(
  { hooks, type }: WriteParts,
  template: string | undefined,
  before: Post | undefined,
): Promise<void> {
  if (template === undefined || template === '' || template === (before?.template ?? '')) return
  const templates = Object.keys(await hooks.applyFiltersAsync('theme_templates', {}, type.name))
  if (templates.includes(nameOf(template))) return
  const message = `template is not one of ${['', ...templates].join(', ')}.`
  throw invalidParameter('template', { code: 'rest_not_in_enum', message, data: null })
}

/** `page-templates/wide.php` and `wide.html` mean the `wide` template. */
function nameOf(template: string): string {
  return template.replace(/^page-templates\//, '').replace(/\.(php|html|eta)$/, '')
}
