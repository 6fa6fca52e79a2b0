/**
 * Whether the visitor may be signed in. A worker sees no session, only that a page came with `private` or that a form
 * was sent; from then on the network is asked first, until it answers with what everybody gets.
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
