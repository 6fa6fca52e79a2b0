import type { Content, MediaDetails } from '../../content/types.ts'
import type { Look } from '../appearance/index.ts'
import type { PageContext } from '../types.ts'
import { type TemplateImage, toLogo } from './image.ts'
import type { PageDataCache } from './page-data-cache.ts'

/** The logos and the icon in the settings. */
export interface SiteImages {
  /** The file of an image; `undefined` if the post is no attachment. */
  find(id: number | null | undefined): Promise<MediaDetails | undefined>
  /** @param page a page that shows the images */
  logos(
    look: Look,
    page?: PageContext,
  ): Promise<{ logo: TemplateImage | undefined; darkLogo: TemplateImage | undefined; iconUrl: string }>
}

export function createSiteImages({ content, pageData }: { content: Content; pageData: PageDataCache }): SiteImages {
  const images = pageData.remember(async (id) => {
    const image = await content.posts.get(Number(id))
    return image?.type === 'attachment' ? (await content.media.details([image])).get(image.id) : undefined
  })
  const find = async (id: number | null | undefined) => (id ? images(String(id)) : undefined)
  return {
    find,
    async logos(look, page) {
      const stored = content.siteSettings()
      const { siteLogo = stored.siteLogo, siteIcon = stored.siteIcon } = look
      const ids = [siteLogo, look.settings.darkLogo, siteIcon]
      page?.addTags(...ids.flatMap((id) => (id ? `post-${id}` : [])))
      const [logo, dark, icon] = await Promise.all(ids.map(find))
      return {
        logo: logo && toLogo(logo),
        darkLogo: dark && toLogo(dark),
        iconUrl: icon ? (icon.sizes.thumbnail ?? icon).url : '',
      }
    },
  }
}
