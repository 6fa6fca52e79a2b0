/** Words that Pentad's texts do not use, and what the field says in their place. `npm run lint` looks for them. */
// The former name: cspell:ignore refusable

export interface Term {
  /** What is written in its place. */
  readonly instead: string
  /** Phrases that are never right. A space stands for any white space; `|` and the like as in regular expressions. */
  readonly never: readonly string[]
  /** Words that are fine in a sentence but not as a whole text: a button "Keep". */
  readonly alone?: readonly string[]
}

export const glossary: readonly Term[] = [
  {
    instead: 'cache, cached page, cacheable; for other things: retain, store, preserve',
    never: [
      'kept (pages?|answers?|responses?)',
      'storable',
      'keep(s|ing)? ((a|the|its|whole|finished) )*(pages?|answers?|responses?)(?! (out|in|on))',
    ],
    alone: ['keep', 'kept'],
  },
  { instead: 're-render, regenerate', never: ['anew'] },
  { instead: 'notified, notifies, emits, reports, receives', never: ['told', 'tells? of', 'hears? of', 'heard of'] },
  {
    instead: 'purge, remove, delete, discard',
    never: ['takes? away', 'taken away', 'taking away', '(is|are|was|were) gone', 'thr[eo]wn? away', 'throws? away'],
  },
  {
    instead: 'intact, verified, complete; checksums match',
    never: [
      '(is|are|was|were|be|it|stays?) whole(?! (numbers?|seconds?|minutes?))',
      'sums (are|were) right',
      'all sums',
      'sums? of (the|its) files?',
    ],
    alone: ['whole'],
  },
  { instead: 'assemble, verify', never: ['put together', 'puts together', 'read back', 'reads back'] },
  { instead: 'snapshot taken', never: ['frozen'] },
  { instead: 'scanned, collected, detected', never: ['looked for', 'gathered', 'found out'] },
  { instead: 'skipped, ignored', never: ['passed over', 'passes over'] },
  { instead: 'off-site, remote', never: ['at another place', 'elsewhere'] },
  { instead: 'excluded, omitted', never: ['left out', 'leaves? out'] },
  { instead: 'Attribute content to another user; name who acts', never: ['somebody'] },
  { instead: 'client disconnected, request aborted; name who acts', never: ['nobody', 'whoever', 'whomever'] },
  {
    instead: 'error, rejected, cancelable',
    never: ['refusals?', '(?<!connection )(?<!connection was )refused(?! the connection)', 'refusable'],
  },
  { instead: 'in progress, in flight', never: ['under way', 'underway'] },
  { instead: 'staging (database); next to, alongside, compared with', never: ['beside'] },
  { instead: 'warnings, uncaught errors', never: ['oddit(y|ies)', 'strays?'] },
  { instead: 'semaphore, mutex', never: ['(takes?|taking|in|by) turns'], alone: ['turns'] },
  {
    instead: 'request, matched request, authorize and validate',
    never: ['arrivals?', 'opened (request|route)s?', 'admit(s|ted)?'],
    alone: ['opened'],
  },
  { instead: 'page-data cache', never: ['memory of (a|the|its) (view|page|template)s?'] },
  { instead: 'fix', never: ['mend(s|ed)?'] },
  { instead: 'temporary (302, 307), permanent (301, 308)', never: ['for now', 'for good'] },
  { instead: 'self-hosted fonts', never: ['own copies'] },
  { instead: 'the default', never: ['the usual one'] },
  { instead: 'no link', never: ['leads? nowhere'] },
  { instead: 'Recommended; a button names what it does: Fix, Open, Set up', never: ['worth doing', 'go there'] },
  { instead: 'Schedule automatic backups', never: ['backups be made'] },
  { instead: 'Visitors must enter this password to read the post', never: ['only who knows it'] },
]
