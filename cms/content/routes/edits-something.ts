import type { AccessRequest } from '../../../core/rest/types.ts'
import type { Content } from '../types.ts'

/** Whether somebody may edit posts of a type that REST shows: WordPress asks it for what an editor needs around a post. */
export async function editsSomething(
  { postTypes }: Pick<Content, 'postTypes'>,
  { can }: Pick<AccessRequest, 'can'>,
): Promise<boolean> {
  for (const { restBase, capabilities } of postTypes().values())
    if (restBase !== null && (await can(capabilities.edit_posts))) return true
  return false
}
