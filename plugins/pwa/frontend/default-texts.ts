import type { PageTexts } from 'pentad'

/** In the language of the site. */
export const defaultTexts = ({ __ }: PageTexts) => ({
  close: __('Close'),
  notNow: __('Not now'),
  install: __('Install'),
  installText: __('Install this site as an app'),
  iosTitle: __('Install this app'),
  iosText: __('Tap the Share button in your browser, then “Add to Home Screen”.'),
  pushText: __('Would you like to get notifications about new content?'),
  allow: __('Allow'),
  bellOff: __('Turn on notifications'),
  bellOn: __('Turn off notifications'),
  pushBlocked: __('Notifications are blocked in your browser settings.'),
  pushFailed: __('Something went wrong. Please try again later.'),
  pushIsOn: __('Notifications are on.'),
  pushIsOff: __('Notifications are off.'),
  offline: __('You are offline. Pages you have visited are still available.'),
  online: __('You are back online.'),
  formSent: __('The form you submitted offline has been sent.'),
  share: __('Share this page'),
  pull: __('Pull down to refresh'),
  release: __('Release to refresh'),
  offlineTitle: __('You are offline'),
  offlineText: __('This page is not available offline. Try again when you are back online.'),
  tryAgain: __('Try again'),
  formKeptTitle: __('Saved for later'),
  formKeptText: __('You are offline. Your form was saved and will be sent when you are back online.'),
})

export type TextName = keyof ReturnType<typeof defaultTexts>
export type Texts = Readonly<Record<TextName, string>>
