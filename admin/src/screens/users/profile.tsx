import { pageData } from '../../page-data.ts'
import { UserPage } from './edit-user.tsx'

/** Edits the user's own profile and account. */
export default function Profile() {
  return <UserPage id={pageData.user.id} />
}
