import { line, toggle } from 'pentad'
import { z } from 'zod'

/** Maximum TTL in seconds: four weeks, which all push services accept. */
const LONGEST_TIME_TO_LIVE = 2_419_200

/** Settings of the permission prompt, sending and automatic notifications. */
export const pushSettings = {
  pushPrompt: toggle('off', 'Notification prompt', 'Asks visitors to subscribe to notifications.', 'push'),
  pushPromptText: line()
    .default('')
    .meta({ title: 'Notification prompt text', description: 'Leave empty for the default text.', group: 'push' }),
  pushPromptDelaySeconds: z.int().min(0).max(3600).default(2).meta({
    title: 'Notification prompt delay',
    description: 'Number of seconds after the page loads.',
    group: 'push',
  }),
  pushPromptSkipFirstVisit: toggle(
    'off',
    'Skip first visit',
    'Shows the notification prompt starting with the second visit.',
    'push',
  ),
  pushButton: toggle('off', 'Bell button', 'Lets visitors turn notifications on and off.', 'push'),
  pushButtonPosition: z
    .enum(['page-end', 'bottom-left', 'bottom-right', 'top-left', 'top-right'])
    .default('page-end')
    .meta({
      title: 'Button position',
      description:
        'Position of the bell, share, and install buttons. In a corner of the window, they cover a small part of the page on phones.',
      group: 'push',
    }),
  pushBatchSize: z.int().min(1).max(10_000).default(1000).meta({
    title: 'Batch size',
    description: 'Number of subscribers that a notification is sent to at a time.',
    group: 'push',
  }),
  pushTimeToLiveSeconds: z.int().min(0).max(LONGEST_TIME_TO_LIVE).default(LONGEST_TIME_TO_LIVE).meta({
    title: 'Time to live',
    description: 'Number of seconds for which push services hold a notification for a device that is offline.',
    group: 'push',
  }),
  pushSubject: z
    .union([
      z.literal(''),
      z
        .string()
        .max(300)
        .regex(/^mailto:[^\s@:]+@[^\s@:]+\.[^\s@:]+$/i, 'Enter an address such as mailto:me@example.org.'),
      z.url({ protocol: /^https$/, hostname: z.regexes.domain }).max(300),
    ])
    .default('')
    .meta({
      title: 'Contact address (VAPID)',
      description: 'A mailto: or https: URL for push services. Leave empty to use the administration email address.',
      group: 'push',
    }),
  pushAutomation: toggle('off', 'Automatic notifications', 'Turns on the notifications below.', 'push-automation'),
  pushWelcome: toggle('off', 'Welcome notification', 'Sent to new subscribers.', 'push-automation'),
  pushWelcomeTitle: line(100)
    .default('')
    .meta({ title: 'Welcome title', description: 'Leave empty for the default title.', group: 'push-automation' }),
  pushWelcomeMessage: line()
    .default('')
    .meta({ title: 'Welcome message', description: 'Leave empty for the default message.', group: 'push-automation' }),
  pushNewContent: toggle('off', 'New content', 'Sends a notification when content is published.', 'push-automation'),
  pushNewContentTypes: z.array(line(20).min(1)).max(50).default(['post']).meta({
    title: 'Post types',
    description: 'Post types that trigger a notification when published.',
    group: 'push-automation',
  }),
  pushPriceDrop: toggle(
    'off',
    'Price drop notifications',
    'Notifies all subscribers, or only those the store selects, when the price of a product drops.',
    'push-automation',
  ),
  pushBackInStock: toggle(
    'off',
    'Back in stock notifications',
    'Notifies all subscribers, or only those the store selects, when a product is back in stock.',
    'push-automation',
  ),
  pushOrderStatus: toggle(
    'off',
    'Order status notifications',
    'Notifies customers when the status of their order changes.',
    'push-automation',
  ),
}
