/** Characters of an address that is kept; longer ones are nobody's link. */
const LONGEST = 2000

/** Parameters that tell where a visitor came from, and change nothing about what was asked for. */
const TRACKING = /^(?:utm_[a-z]+|gclid|gbraid|wbraid|fbclid|msclkid|dclid|yclid|igshid|mc_[a-z]+)(?:=|$)/i

/**
 * A missing address as the log keeps it: path and query without tracking parameters, percent-encoded; `undefined` for
 * one that is too long.
 */
export function toMissingAddress(url: string): string | undefined {
  const at = url.indexOf('?')
  const path = at < 0 ? url : url.slice(0, at)
  const query = at < 0 ? [] : url.slice(at + 1).split('&')
  const kept = query.filter((parameter) => parameter !== '' && !TRACKING.test(parameter)).join('&')
  const address = toAscii(kept === '' ? path : `${path}?${kept}`)
  return address.length <= LONGEST ? address : undefined
}

/** What no address may contain as it is (RFC 3986, appendix A). */
const TO_ENCODE = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g

/** Node gives the bytes of a request as Latin-1, those too that the client should have encoded. */
function toAscii(text: string): string {
  return text.replace(TO_ENCODE, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}
