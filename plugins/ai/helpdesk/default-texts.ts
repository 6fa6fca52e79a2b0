import type { PageTexts } from 'pentad'

/** In the language of the site. */
export const defaultTexts = ({ __ }: PageTexts) => ({
  title: __('Help'),
  open: __('Ask us'),
  close: __('Close'),
  contactText: __('Send us a message and we will reply by email.'),
  name: __('Your name'),
  email: __('Your email address'),
  subject: __('Subject'),
  message: __('Your message'),
  send: __('Send'),
  sending: __('Sending…'),
  sent: __('Thank you! Your message has been sent.'),
  notSent: __('Something went wrong. Please try again later.'),
  tooQuick: __('Please press Send again.'),
  another: __('Send another message'),
  tooMany: __('Too many requests. Please try again in a few minutes.'),
  required: __('Please fill in this field.'),
  badEmail: __('Please enter a valid email address.'),
  hello: __('Hi! Ask me anything about the content of this site.'),
  question: __('Your question'),
  ask: __('Ask'),
  you: __('You:'),
  thinking: __('Searching…'),
  unknown: __('I couldn’t find an answer on this site. You can send us a message instead.'),
  sources: __('Sources:'),
  writeInstead: __('Contact us'),
  askInstead: __('Back to chat'),
  withoutScript: __('Turn on JavaScript in your browser to send a message.'),
})

export type HelpdeskTextName = keyof ReturnType<typeof defaultTexts>
export type HelpdeskTexts = Readonly<Record<HelpdeskTextName, string>>
