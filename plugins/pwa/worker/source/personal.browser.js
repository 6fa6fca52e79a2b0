/**
 * Whether the visitor may be signed in. A worker cannot see the session, only that a page was `private` or a form was
 * submitted. From then on it uses the network first, until a page is public again.
 */
import { read, write } from './state.browser.js'

let known

export async function isPersonal() {
  known ??= (await read('personal')) === true
  return known
}

export async function setPersonal(personal) {
  if ((await isPersonal()) === personal) return
  known = personal
  await write('personal', personal || undefined)
}
