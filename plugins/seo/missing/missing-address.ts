/** Maximum length of a logged URL; longer ones are not links. */
const LONGEST = 2000

/** Tracking parameters, which do not change the requested page. */
const TRACKING = /^(?:utm_[a-z]+|gclid|gbraid|wbraid|fbclid|msclkid|dclid|yclid|igshid|mc_[a-z]+)(?:=|$)/i

/**
 * A URL as the 404 log stores it: percent-encoded path and query without tracking parameters; `undefined` if it is too
 * long.
 */
export function toMissingAddress(url: string): string | undefined {
  const at = url.indexOf('?')
  const path = at < 0 ? url : url.slice(0, at)
  const query = at < 0 ? [] : url.slice(at + 1).split('&')
  const parameters = query.filter((parameter) => parameter !== '' && !TRACKING.test(parameter)).join('&')
  const address = toAscii(parameters === '' ? path : `${path}?${parameters}`)
  return address.length <= LONGEST ? address : undefined
}

/** Characters that a URL must not contain unencoded (RFC 3986, appendix A). */
const TO_ENCODE = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g

/** Node returns the bytes of a request as Latin-1, including bytes that the client should have encoded. */
function toAscii(text: string): string {
  return text.replace(TO_ENCODE, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}
