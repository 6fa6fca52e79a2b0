import { line, toggle } from 'pentad'
import { z } from 'zod'

/** Seconds that a push service keeps a message at most: four weeks, what all of them take. */
const LONGEST_TIME_TO_LIVE = 2_419_200

/** Asking for permission, sending, and what is sent by itself. */
export const pushSettings = {
  pushPrompt: toggle('off', 'Push prompt', 'Asks visitors whether they want notifications.', 'push'),
  pushPromptText: line()
    .default('')
    .meta({ title: 'Text of the push prompt', description: 'Empty for the usual one.', group: 'push' }),
  pushPromptDelaySeconds: z
    .int()
    .min(0)
    .max(3600)
    .default(2)
    .meta({ title: 'Delay of the push prompt', description: 'Seconds after the page opened.', group: 'push' }),
  pushPromptSkipFirstVisit: toggle('off', 'Not at the first visit', 'The push prompt waits for the second.', 'push'),
  pushButton: toggle('on', 'Push button', 'A bell by which visitors switch notifications on and off.', 'push'),
  pushButtonPosition: z
    .enum(['bottom-left', 'bottom-right', 'top-left', 'top-right'])
    .default('bottom-left')
    .meta({ title: 'Place of the push button', description: 'Corner of the window.', group: 'push' }),
  pushBatchSize: z
    .int()
    .min(1)
    .max(10_000)
    .default(1000)
    .meta({ title: 'Batch size', description: 'Subscribers that are sent to in one go.', group: 'push' }),
  pushTimeToLiveSeconds: z
    .int()
    .min(0)
    .max(LONGEST_TIME_TO_LIVE)
    .default(LONGEST_TIME_TO_LIVE)
    .meta({ title: 'Lifetime of messages', description: 'Seconds that a device may be away.', group: 'push' }),
  pushSubject: z
    .union([
      z.literal(''),
      z
        .string()
        .max(300)
        .regex(/^mailto:[^\s@:]+@[^\s@:]+\.[^\s@:]+$/i, 'It must be like mailto:me@example.org.'),
      z.url({ protocol: /^https$/, hostname: z.regexes.domain }).max(300),
    ])
    .default('')
    .meta({
      title: 'Contact for push services',
      description: 'mailto: or https: address; empty for the address of the administrator.',
      group: 'push',
    }),
  pushAutomation: toggle('off', 'Automatic notifications', 'Main switch of those below.', 'push-automation'),
  pushWelcome: toggle('off', 'Welcome', 'Greets new subscribers.', 'push-automation'),
  pushWelcomeTitle: line(100)
    .default('')
    .meta({ title: 'Title of the welcome', description: 'Empty for the usual one.', group: 'push-automation' }),
  pushWelcomeMessage: line()
    .default('')
    .meta({ title: 'Text of the welcome', description: 'Empty for the usual one.', group: 'push-automation' }),
  pushNewContent: toggle('off', 'New content', 'Tells of what was published.', 'push-automation'),
  pushNewContentTypes: z
    .array(line(20).min(1))
    .max(50)
    .default(['post'])
    .meta({ title: 'Kinds of new content', description: 'Types of posts.', group: 'push-automation' }),
  pushPriceDrop: toggle('off', 'Price drop', 'Tells who watches a product that it got cheaper.', 'push-automation'),
  pushBackInStock: toggle('off', 'Back in stock', 'Tells who watches a product that it is there.', 'push-automation'),
  pushOrderStatus: toggle('off', 'Order status', 'Tells customers how their order goes on.', 'push-automation'),
}
