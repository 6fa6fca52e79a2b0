import type { ExtensionHost } from 'pentad'
import type { Providers } from '../providers/types.ts'
import type { AiSettings } from '../settings.ts'
import { registerCategory } from './category.ts'
import { registerContent } from './content.ts'
import { registerFeaturedImage } from './featured-image.ts'
import { registerTags } from './tags.ts'
import { registerTitle } from './title.ts'
import { createWriter } from './writer.ts'

/** Suggests titles, content, tags, categories and images in the editor. Posts are not changed. */
export function registerGeneration(
  host: ExtensionHost,
  parts: { settings: () => AiSettings; providers: Providers },
): void {
  const writer = createWriter(host, parts)
  registerTitle(host, writer)
  registerContent(host, writer)
  registerTags(host, writer)
  registerCategory(host, writer)
  registerFeaturedImage(host, writer)
}
