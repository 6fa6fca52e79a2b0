import type { ExtensionHost, Settings } from 'pentad'
import type { settingsSchema } from '../settings.ts'

/** Creates the cart page once. The site owner can rename, move or delete it. */
export async function createCartPage(
  { __, auth, content }: Pick<ExtensionHost, '__' | 'auth' | 'content'>,
  settings: Settings<ReturnType<typeof settingsSchema>>,
): Promise<void> {
  if (settings.get().cartPage !== undefined) return
  const [administrator] = (await auth.users.query({ roles: ['administrator'], limit: 1 })).items
  const page = await content.posts.insert({
    ...{ type: 'page', status: 'publish', title: __('Cart', 'store'), commentStatus: 'closed' },
    authorId: administrator?.id ?? 0,
  })
  await settings.update({ cartPage: page.id })
}
