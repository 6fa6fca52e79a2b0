import { escapeHtml } from '../../../core/http/escape-html.ts'
import { FORBIDDEN } from '../import/xml-text.ts'

/** Text without the characters that XML 1.0 does not allow, not even as references: control characters, half surrogate pairs. */
export function xmlText(text: string): string {
  return text.toWellFormed().replace(FORBIDDEN, '')
}

/** For an element or a quoted attribute. */
export function escapeXml(text: string): string {
  // XML parsers normalize CR LF to a line feed (XML 1.0, 2.11).
  return escapeHtml(xmlText(text)).replaceAll('\r', '&#13;')
}

/** Text in CDATA, as WordPress writes it; one with carriage returns is escaped, since CDATA loses them. */
export function textContent(text: string): string {
  const clean = xmlText(text)
  return clean.includes('\r') ? escapeXml(clean) : `<![CDATA[${clean.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}

export function textElement(name: string, text: string): string {
  return `<${name}>${textContent(text)}</${name}>`
}

/** An element with a number, date or URL. */
export function plainElement(name: string, text: string | number): string {
  return `<${name}>${escapeXml(String(text))}</${name}>`
}
