import { pageData } from '../../page-data.ts'
import { UserPage } from './edit-user.tsx'

/** What everybody may say of themselves, and the keys to their account. */
export default function Profile() {
  return <UserPage id={pageData.user.id} />
}
