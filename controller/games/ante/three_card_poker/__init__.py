"""Three Card Poker: three cards each, play for the ante or fold, the player-dealer qualifies with queen-high.

Six rulesets of three rooms share the script. They differ in what a player-dealer who does not qualify means for the
ante, in their bonus bets, in where settlement begins and in how the player-dealer's money is used: all of it data.
Sheets: bankers-three-card-poker, bankers-three-card-poker-6-card-bonus, calgrand-three-card-poker,
calgrand-three-card-poker-1-3, turlock-three-card-poker, turlock-three-card-poker-6-card-bonus.

options     what differs between the rooms, and the wagers that follow from it
script      one deal, from the first card to the last chip
settlement  what each wager wins or loses
"""
