/// Steps that training loops print themselves: a count and, in some loops, a time. One class holds
/// all words that name them, because loops print these in any order.
@NullMarked
package io.ringside.streams.parse.loop;

import org.jspecify.annotations.NullMarked;
