/** WordPress's meta keys: the status of a post or comment before it was moved to the trash or spam, … */
export const STATUS_BEFORE_TRASH = '_wp_trash_meta_status'
/** … and when it was moved, in seconds since the epoch. */
export const TRASH_TIME = '_wp_trash_meta_time'
