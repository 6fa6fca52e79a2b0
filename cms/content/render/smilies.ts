import { createHtmlParser } from '../../text/html-parser.ts'

/** WordPress's `$wpsmiliestrans`. */
const SMILIES: Readonly<Record<string, string>> = {
  ...{ ':neutral:': '😐', ':twisted:': '😈', ':arrow:': '➡', ':shock:': '😯', ':smile:': '🙂', ':???:': '😕' },
  ...{ ':cool:': '😎', ':evil:': '👿', ':grin:': '😀', ':idea:': '💡', ':oops:': '😳', ':razz:': '😛' },
  ...{ ':roll:': '🙄', ':wink:': '😉', ':cry:': '😥', ':eek:': '😮', ':lol:': '😆', ':mad:': '😡', ':sad:': '🙁' },
  ...{ '8-)': '😎', '8-O': '😯', ':-(': '🙁', ':-)': '🙂', ':-?': '😕', ':-D': '😀', ':-P': '😛', ':-o': '😮' },
  ...{ ':-x': '😡', ':-|': '😐', ';-)': '😉', '8O': '😯', ':(': '🙁', ':)': '🙂', ':?': '😕', ':D': '😀' },
  ...{ ':P': '😛', ':o': '😮', ':x': '😡', ':|': '😐', ';)': '😉', ':!:': '❗', ':?:': '❓' },
}

const escaped = Object.keys(SMILIES)
  .sort((one, other) => other.length - one.length)
  .map((smiley) => smiley.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
/** They stand alone, between blanks. */
const SMILEY = new RegExp(`(?<=^|\\s)(?:${escaped.join('|')})(?=\\s|$)`, 'g')
/** Like `SMILEY`, but also adjacent to tags. */
const ANY_SMILEY = new RegExp(`(?<=^|[\\s>])(?:${escaped.join('|')})(?=[\\s<]|$)`)
const SILENT = new Set(['code', 'pre', 'style', 'script', 'textarea'])

/** Whether a text contains emoticons: most do not, and need not be parsed. */
export function hasSmilies(html: string): boolean {
  return ANY_SMILEY.test(html)
}

/** Replaces emoticons in visible text by emoji, except in code; WordPress's `convert_smilies`. Markup is unchanged. */
export function convertSmilies(html: string): string {
  if (!hasSmilies(html)) return html
  let converted = ''
  let done = 0
  let silent = 0
  const parser = createHtmlParser({
    onopentagname: (name) => {
      if (SILENT.has(name)) silent++
    },
    onclosetag: (name) => {
      if (SILENT.has(name)) silent--
    },
    ontext(text) {
      const [start, end] = [parser.startIndex, parser.endIndex + 1]
      if (silent > 0 || html.slice(start, end) !== text) return
      converted += html.slice(done, start) + text.replace(SMILEY, (smiley) => SMILIES[smiley] ?? smiley)
      done = end
    },
  })
  parser.end(html)
  return converted + html.slice(done)
}
