"""What a run will ask, and what that may cost, before anybody is asked.

Three figures: what is *likely*; what is *reserved* where every question that is likely to be asked
is answered at the first call; the *most*, where everything is asked that may be, every call is
repeated as often as it may be, every prompt that is not known is as long as allowed, and no reply
is found in the cache.
"""

from veridical.rag.estimating.earlier import Earlier, earlier_run
from veridical.rag.estimating.estimating import estimate
from veridical.rag.estimating.figures import Asked, Estimate, Share

__all__ = ["Asked", "Earlier", "Estimate", "Share", "earlier_run", "estimate"]
