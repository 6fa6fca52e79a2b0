import type { AccessRequest } from '../../../core/rest/types.ts'
import type { Content } from '../types.ts'

/** Whether a user can edit posts of any type that REST exposes: WordPress requires it for data that editors need. */
export async function editsSomething(
  { postTypes }: Pick<Content, 'postTypes'>,
  { can }: Pick<AccessRequest, 'can'>,
): Promise<boolean> {
  for (const { restBase, capabilities } of postTypes().values())
    if (restBase !== null && (await can(capabilities.edit_posts))) return true
  return false
}
