import { type ExtensionHost, filteredTexts } from 'pentad'
import './hooks.ts'

const TEXTS = {
  title: 'Help',
  open: 'Ask us',
  close: 'Close',
  contactText: 'Write to us, and we will answer by e-mail.',
  name: 'Your name',
  email: 'Your e-mail address',
  subject: 'Subject',
  message: 'Your message',
  send: 'Send',
  sending: 'Sending …',
  sent: 'Thank you, your message is on its way.',
  notSent: 'That did not work. Please try again later.',
  tooQuick: 'That was quick. Please press the button once more.',
  another: 'Write another message',
  tooMany: 'That was too much at once. Please try again in a few minutes.',
  required: 'Please fill in this field.',
  badEmail: 'Please check the address.',
  hello: 'What would you like to know? I answer from what is written on this site.',
  question: 'Your question',
  ask: 'Ask',
  you: 'You:',
  thinking: 'Looking it up …',
  unknown: 'I found nothing about this on the site. You can write to us instead.',
  sources: 'From:',
  writeInstead: 'Write to us',
  askInstead: 'Back to the answers',
}

export type HelpdeskTextName = keyof typeof TEXTS
export type HelpdeskTexts = Readonly<Record<HelpdeskTextName, string>>

/** What the helpdesk says to visitors, as extensions want it. */
export function helpdeskTexts(hooks: ExtensionHost['hooks']): HelpdeskTexts {
  return filteredTexts(TEXTS, hooks.applyFilters('ai_helpdesk_texts', TEXTS))
}
