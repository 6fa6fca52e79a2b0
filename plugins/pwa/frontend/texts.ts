import { type ExtensionHost, filteredTexts } from 'pentad'
import './hooks.ts'

const TEXTS = {
  close: 'Close',
  notNow: 'Not now',
  install: 'Install',
  installText: 'Install this site as an app.',
  iosTitle: 'Install this app',
  iosText: 'Tap the Share button of the browser, then “Add to Home Screen”.',
  pushText: 'Shall we tell you what is new?',
  allow: 'Yes, please',
  bellOff: 'Turn notifications on',
  bellOn: 'Turn notifications off',
  pushBlocked: 'Notifications of this site are blocked in the settings of your browser.',
  pushFailed: 'That did not work. Please try again later.',
  pushIsOn: 'Notifications are on.',
  pushIsOff: 'Notifications are off.',
  updateText: 'A new version of this app is there.',
  update: 'Use it now',
  updated: 'The new version shows with the next page: what you are writing stays.',
  offline: 'You are offline. Pages that you have visited still work.',
  online: 'You are online again.',
  formSent: 'What you wrote while you were offline has been sent.',
  share: 'Share this page',
  pull: 'Pull down to refresh',
  release: 'Let go to refresh',
  offlineTitle: 'You are offline',
  offlineText: 'This page has not been visited before. It will be here when the network is back.',
  tryAgain: 'Try again',
  formKeptTitle: 'It will be sent',
  formKeptText: 'You are offline. What you wrote is kept and will be sent when the network is back.',
}

export type TextName = keyof typeof TEXTS
export type Texts = Readonly<Record<TextName, string>>

/** What the app says to visitors, as extensions want it. */
export function textsOf(hooks: ExtensionHost['hooks']): Texts {
  return filteredTexts(TEXTS, hooks.applyFilters('pwa_texts', TEXTS))
}
